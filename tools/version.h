// The version of the programs. docs/gpuvm.1 carries it too; a test compares them.
#ifndef GV_VERSION_H
#define GV_VERSION_H

#define GV_VERSION "0.1.0"

#endif
