// The version of the project, as programs print it and payloads record it.
#ifndef GV_RELEASE_H
#define GV_RELEASE_H

#define GV_RELEASE "0.1.0"

#endif
