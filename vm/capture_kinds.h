// Kinds of commands that captures have and payloads do not note: there a submission is
// a command that draws (command_kinds.h).
#ifndef GV_CAPTURE_KINDS_H
#define GV_CAPTURE_KINDS_H

#include "vm/command_kinds.h"

enum { GV_CAPTURE_SUBMIT = 1 << GV_COMMAND_KINDS }; // hands work to a queue

#endif
