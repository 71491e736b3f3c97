"""Stands in for PyTorch, as far as weir.torch uses it, where there is no GPU."""

int32 = "int32"


def device(*place):
    return place


class cuda:
    @staticmethod
    def is_available():
        return True

    @staticmethod
    def current_device():
        return 0

    @staticmethod
    def get_device_capability():
        return cuda.capability

    @staticmethod
    def synchronize():
        pass

    @staticmethod
    def current_stream():
        return type("Stream", (), {"cuda_stream": 0x77})()

    capability = (9, 0)
