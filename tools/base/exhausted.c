#include "tools/base/exhausted.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "tools/base/last_words.h"

// Of the C++ ABI: what is being thrown, std::bad_alloc, and std::set_terminate.
extern const void *current_exception(void) __asm__("__cxa_current_exception_type");
extern const char bad_alloc[] __asm__("_ZTISt9bad_alloc");
typedef void terminate_fn(void);
extern terminate_fn *
set_terminate(terminate_fn *handler) __asm__("_ZSt13set_terminatePFvvE");

static struct gv_last_words words;
static atomic_flag ending = ATOMIC_FLAG_INIT;
static bool named;

static void on_terminate(void)
{
    while (atomic_flag_test_and_set(&ending))
        pause(); // another thread says it
    if (current_exception() == (const void *)bad_alloc)
        gv_last_words_say(&words);
    abort();
}

void gv_exhausted_catch(const char *path, bool json)
{
    struct gv_error err = GV_ERROR_INIT;
    if (named)
        return;
    named = path != NULL;
    gv_out_of_memory(&err);
    gv_last_words_finish(&words);
    gv_last_words_init(&words, path, &err, json);
    set_terminate(on_terminate);
}

void gv_exhausted_forget(void)
{
    named = false;
}
