#!/usr/bin/env python3
"""SHA-256 of every frame's picture, through ctypes: hash_frames.py LIBRARY PAYLOAD"""
import ctypes
import hashlib
import sys


class Error(ctypes.Structure):
    _fields_ = [("status", ctypes.c_int32), ("reserved", ctypes.c_int32),
                ("offset", ctypes.c_uint64), ("command", ctypes.c_uint64),
                ("message", ctypes.c_char * 256)]


class Settings(ctypes.Structure):  # what is left out is as the library has it
    _fields_ = [("size", ctypes.c_size_t)]


class Picture(ctypes.Structure):
    _fields_ = [("width", ctypes.c_uint32), ("height", ctypes.c_uint32),
                ("rgba", ctypes.c_void_p)]


def main(library, path):
    lib = ctypes.CDLL(library)
    pointer, number, error = ctypes.c_void_p, ctypes.c_uint64, ctypes.POINTER(Error)
    lib.gpuvm_open_file.restype = lib.gpuvm_replay_create.restype = pointer
    lib.gpuvm_open_file.argtypes = [ctypes.c_char_p, number, pointer, error]
    lib.gpuvm_replay_create.argtypes = [pointer, ctypes.POINTER(Settings), error]
    lib.gpuvm_frame_count.restype = number
    lib.gpuvm_frame_count.argtypes = [pointer]
    lib.gpuvm_run_to_frame.argtypes = [pointer, number, error]
    lib.gpuvm_get_picture.argtypes = [pointer, ctypes.POINTER(Picture), error]
    lib.gpuvm_replay_close.argtypes = lib.gpuvm_payload_close.argtypes = [pointer]

    e, picture, settings = Error(), Picture(), Settings(ctypes.sizeof(Settings))
    payload = lib.gpuvm_open_file(path.encode(), 0, None, e)
    replay = lib.gpuvm_replay_create(payload, settings, e) if payload else None
    for frame in range(lib.gpuvm_frame_count(payload) if replay else 0):
        if lib.gpuvm_run_to_frame(replay, frame, e) or lib.gpuvm_get_picture(replay, picture, e):
            break
        rgba = ctypes.string_at(picture.rgba, 4 * picture.width * picture.height)
        print(frame, f"{picture.width}x{picture.height}", hashlib.sha256(rgba).hexdigest())
    lib.gpuvm_replay_close(replay)
    lib.gpuvm_payload_close(payload)
    if e.status:
        print(e.message.decode(), file=sys.stderr)
    return e.status


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
