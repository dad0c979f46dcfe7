// Vulkan's headers, those of window systems included. What these want of the systems'
// own headers is declared here: captures hold addresses and numbers of another process.
#ifndef GV_VK_HEADERS_H
#define GV_VK_HEADERS_H

#include <stdint.h>

#include <vulkan/vulkan_core.h>

typedef struct gv_vk_display Display;
typedef unsigned long Window, VisualID, RROutput;
typedef struct xcb_connection_t xcb_connection_t;
typedef uint32_t xcb_window_t, xcb_visualid_t, zx_handle_t, DWORD, GgpStreamDescriptor;
typedef uint64_t GgpFrameToken;
typedef void *HANDLE, *HINSTANCE, *HWND, *HMONITOR;
typedef const uint16_t *LPCWSTR;
typedef struct gv_vk_security SECURITY_ATTRIBUTES;
typedef struct gv_vk_direct_fb IDirectFB, IDirectFBSurface;

#include <vulkan/vulkan_android.h>
#include <vulkan/vulkan_beta.h>
#include <vulkan/vulkan_directfb.h>
#include <vulkan/vulkan_fuchsia.h>
#include <vulkan/vulkan_ggp.h>
#include <vulkan/vulkan_ios.h>
#include <vulkan/vulkan_macos.h>
#include <vulkan/vulkan_metal.h>
#include <vulkan/vulkan_screen.h>
#include <vulkan/vulkan_vi.h>
#include <vulkan/vulkan_wayland.h>
#include <vulkan/vulkan_win32.h>
#include <vulkan/vulkan_xcb.h>
#include <vulkan/vulkan_xlib.h>
#include <vulkan/vulkan_xlib_xrandr.h>

// Addresses of the recording process.
typedef void *gv_vk_opaque;
// What `void *` with a size points to.
typedef uint8_t gv_vk_byte;

_Static_assert(sizeof(void *) == 8, "handles hold ids of 64 bits");

#endif
