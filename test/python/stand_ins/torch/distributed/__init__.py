class _Group:
    @staticmethod
    def size():
        return 2


class group:
    WORLD = None


def is_initialized():
    return group.WORLD is not None


def begin():
    """Like init_process_group."""
    group.WORLD = _Group()
