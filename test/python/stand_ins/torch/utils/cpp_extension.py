def load_inline(name, cpp_sources, cuda_sources, **more):
    return name, cpp_sources, cuda_sources, more
