#!/usr/bin/env python3
"""Prints compiler/vulkan/api/vk_api.def from the Vulkan registry (package libvulkan-dev).

    tools/gen-vk-api.py [VK_XML [IDS_TSV]] > compiler/vulkan/api/vk_api.def

Rows: every function of Vulkan with its id in gfxreconstruct's files (gfxr_ids.tsv), every struct
that such a function reaches, through pNext chains too, and the names of all enumerators.
"""
import os
import re
import sys
import xml.etree.ElementTree as ElementTree

REGISTRY = "/usr/share/vulkan/registry/vk.xml"
IDS = os.path.join(os.path.dirname(__file__), "../compiler/vulkan/api/gfxr_ids.tsv")
# Types of window systems and of the platform, as what the files of gfxreconstruct hold.
PLATFORM = {
    "Window": "uint64_t", "VisualID": "uint64_t", "RROutput": "uint64_t", "DWORD": "uint32_t",
    "xcb_window_t": "uint32_t", "xcb_visualid_t": "uint32_t", "zx_handle_t": "uint32_t",
    "GgpStreamDescriptor": "uint32_t", "GgpFrameToken": "uint64_t", "int": "int32_t",
    "HINSTANCE": "gv_vk_opaque", "HWND": "gv_vk_opaque", "HMONITOR": "gv_vk_opaque",
    "HANDLE": "gv_vk_opaque", "IOSurfaceRef": "gv_vk_opaque",
    "MTLDevice_id": "gv_vk_opaque", "MTLCommandQueue_id": "gv_vk_opaque",
    "MTLBuffer_id": "gv_vk_opaque", "MTLTexture_id": "gv_vk_opaque",
    "MTLSharedEvent_id": "gv_vk_opaque", "VkRemoteAddressNV": "gv_vk_opaque",
}
# Pointers to these are addresses, which mean nothing in another process.
ADDRESSES = {"Display", "xcb_connection_t", "wl_display", "wl_surface", "AHardwareBuffer",
             "ANativeWindow", "CAMetalLayer", "IDirectFB", "IDirectFBSurface", "_screen_context",
             "_screen_window"}
# And these are refused where they are not null.
REFUSED = {"SECURITY_ATTRIBUTES", "LPCWSTR"}
SCALARS = {"char": "I8", "int8_t": "I8", "uint8_t": "U8", "int16_t": "I16", "uint16_t": "U16",
           "int32_t": "I32", "uint32_t": "U32", "int64_t": "I64", "uint64_t": "U64",
           "float": "F32", "double": "F64", "size_t": "U64", "gv_vk_byte": "U8",
           "gv_vk_opaque": "ADDRESS", "VkBool32": "BOOL", "VkDeviceSize": "U64",
           "VkDeviceAddress": "U64", "VkSampleMask": "U32", "VkFlags": "U32", "VkFlags64": "U64"}
# Pointers that the registry does not check and that Vulkan wants nevertheless, where they count any.
WANTED = {("VkGraphicsPipelineCreateInfo", "pStages"), ("VkRenderPassBeginInfo", "pClearValues"),
          ("vkCmdClearColorImage", "pColor"), ("vkCmdDrawMultiEXT", "pVertexInfo"),
          ("vkCmdDrawMultiIndexedEXT", "pIndexInfo"), ("vkFreeDescriptorSets", "pDescriptorSets"),
          ("vkFreeCommandBuffers", "pCommandBuffers")}
LENGTHS = {"codeSize / 4": "QUARTER(codeSize)", "2*VK_UUID_SIZE": "FIXED(32)",
           "(rasterizationSamples + 31) / 32": "PER32(rasterizationSamples)",
           "(samples + 31) / 32": "PER32(samples)"}


def offered(element):
    """Vulkan SC has rows of its own."""
    return "vulkan" in element.get("api", "vulkan").split(",")


class Registry:
    def __init__(self, path):
        self.root = ElementTree.parse(path).getroot()
        self.types, self.aliases = {}, {}
        for row in self.root.find("types"):
            name = row.get("name") or row.findtext("name")
            if name and offered(row):
                self.aliases.update({name: row.get("alias")} if row.get("alias") else {})
                self.types.setdefault(name, row)
        self.functions, self.same = {}, {}
        for row in self.root.find("commands"):
            if row.get("alias"):
                self.same[row.get("name")] = row.get("alias")
            elif offered(row):
                self.functions[row.findtext("proto/name")] = row
        for extension in self.root.iter("extension"):
            if extension.get("supported") == "disabled":
                for row in extension.iter("command"):
                    self.functions.pop(row.get("name"), None)
        self.enums = self.read_enums()
        self.bits = {}  # of flags: the enumeration of their bits
        for name, row in self.types.items():
            if row.get("category") == "bitmask":
                self.bits[name] = row.get("requires") or row.get("bitvalues")
        self.chained = {}
        for name, row in self.types.items():
            for base in (row.get("structextends") or "").split(","):
                self.chained.setdefault(base, []).append(name)

    def core(self, name):
        while name in self.aliases:
            name = self.aliases[name]
        return name

    def category(self, name):
        return self.types[name].get("category") if name in self.types else None

    def bits_of(self, flags):
        """The enumeration of their bits, if it has any."""
        bits = self.core(self.bits[flags])
        return bits if self.enums.get(bits) else None

    def read_enums(self):
        enums = {}
        for block in self.root.findall("enums"):
            rows = enums.setdefault(block.get("name"), {})
            for row in block.findall("enum"):
                add_value(rows, row, None)
        for place in self.root.iter():
            if place.tag == "feature" or place.tag == "extension":
                if place.get("supported") != "disabled":
                    for row in place.iter("enum"):
                        if row.get("extends") and offered(row):
                            rows = enums.setdefault(row.get("extends"), {})
                            add_value(rows, row, place.get("number"))
        return enums


def add_value(rows, row, number):
    if row.get("alias") or row.get("name") in rows:
        return
    if row.get("bitpos"):
        value = 1 << int(row.get("bitpos"))
    elif row.get("value"):
        try:
            value = int(row.get("value"), 0)
        except ValueError:  # a constant of the API, of no enumeration
            return
    else:  # Vulkan style guide, "Assigning extension token values"
        value = 1000000000 + (int(row.get("extnumber") or number) - 1) * 1000
        value = (value + int(row.get("offset"))) * (-1 if row.get("dir") == "-" else 1)
    if value not in rows.values():
        rows[row.get("name")] = value


class Field:
    """A member or a parameter."""

    def __init__(self, registry, element, owner):
        self.registry, self.owner = registry, owner
        for comment in element.findall("comment"):
            tail = comment.tail or ""
            comment.clear()
            comment.tail = tail
        self.text = re.sub(r"\s+", " ", "".join(element.itertext())).strip()
        self.name, declared = element.findtext("name"), element.findtext("type")
        self.stars = self.text.count("*")
        self.array = re.findall(r"\[(\w+)\]", self.text)
        self.lengths = (element.get("altlen") or element.get("len") or "").split(",")
        self.input = "const" in self.text
        self.optional = element.get("optional", "").startswith("true") or \
            element.get("noautovalidity")
        self.values = element.get("values")
        if ":" in self.text:
            raise ValueError("bit field " + owner + "." + self.name)
        self.declared = declared
        self.base = registry.core(declared)
        self.stars += declared == "LPCWSTR"
        self.type = self.wire_type()

    def wire_type(self):
        base = PLATFORM.get(self.base, self.base)
        if base.startswith("StdVideo") or base in REFUSED:
            return "uint32_t" if not self.stars else "gv_vk_refused"
        if base in ADDRESSES or base.startswith("PFN_") or \
                base == "void" and self.stars and not self.length() and not self.array:
            self.stars -= base not in PLATFORM and not base.startswith("PFN_")
            return "gv_vk_opaque"
        return "gv_vk_byte" if base == "void" else base

    def length(self):
        return self.lengths[0] not in ("", "null-terminated", "1") and self.lengths[0]

    def form(self):
        if self.name == "pNext":
            return "CHAIN"
        if self.array and not self.stars:
            if self.owner.startswith("vk"):
                return "ARRAY"
            return "TEXT" if self.type == "char" else "INLINE"
        if not self.stars:
            return "VALUE"
        if self.base == "char" and "null-terminated" in self.lengths:
            return "STRINGS" if self.stars == 2 else "STRING"
        if self.stars == 2:
            return "ARRAYS"
        return "ARRAY" if self.length() else "SINGLE"

    def length_rule(self):
        """How many elements there are to be, from other members."""
        length = self.length()
        if self.form() == "ARRAY" and self.array:
            return "FIXED(%s)" % self.array[0]
        if not length or self.form() not in ("ARRAY", "ARRAYS", "STRINGS"):
            return "NONE"
        if length in LENGTHS:
            return LENGTHS[length]
        if "->" in length:
            pointer, member = length.split("->")
            return "THROUGH(%s, %s, %s)" % (pointer, self.siblings[pointer].base, member)
        if self.siblings[length].stars:
            return "AT(%s, %s)" % (length, self.siblings[length].base)
        return "OF(%s)" % length

    def presence(self):
        """Whether a pointer may be null."""
        if self.form() in ("VALUE", "CHAIN", "INLINE", "TEXT"):
            return "HERE"
        if self.optional and (self.owner, self.name) not in WANTED:
            return "MAYBE"
        return "HERE" if self.input else "RETURNED"

    def declaration(self):
        if self.type == "gv_vk_opaque":
            return "gv_vk_opaque" + " *" * self.stars
        if self.type == "gv_vk_refused":
            return "const void *"
        kind = self.type if self.base in PLATFORM else self.base
        if self.array:
            return "const %s *" % kind
        if self.stars == 2:
            return "const %s *const *" % kind if self.input else "%s **" % kind
        return ("const " if self.input and self.stars else "") + kind + " *" * self.stars

    def columns(self):
        return "%s, %s, %s, %s" % (self.form(), self.type, self.length_rule(), self.presence())


def fields(registry, element, tag, owner):
    found = [Field(registry, row, owner) for row in element.findall(tag) if offered(row)]
    for field in found:
        field.siblings = {other.name: other for other in found}
    return found


class Reached:
    """The types that calls are made of, members before those who hold them."""

    def __init__(self, registry):
        self.registry, self.order, self.seen, self.members = registry, [], set(), {}

    def add(self, name):
        if name in self.seen or name in SCALARS or name == "gv_vk_refused":
            return
        self.seen.add(name)
        if self.registry.category(name) in ("struct", "union"):
            row = self.registry.types[name]
            self.members[name] = fields(self.registry, row, "member", name)
            for field in self.members[name]:
                self.add(field.type)
            for other in self.registry.chained.get(name, []):
                self.add(self.registry.core(other))
        if self.registry.category(name) == "bitmask" and self.registry.bits_of(name):
            self.add(self.registry.bits_of(name))
        self.order.append(name)


def write_types(registry, reached, out):
    for name in sorted(SCALARS):
        out("GV_VK_SCALAR(%s, %s)" % (name, SCALARS[name]))
    for name in sorted(reached.order):
        category = registry.category(name)
        if category == "handle":
            out("GV_VK_HANDLE(%s)" % name)
        elif category == "bitmask":
            out("GV_VK_FLAGS(%s, %s)" % (name, registry.bits_of(name) or "VkFlags"))
        elif category == "enum":
            out("GV_VK_ENUM(%s, %s)" % (name, "FLAGS" if "FlagBits" in name else "ENUM"))
            values = registry.enums.get(name, {})
            for value, number in sorted(values.items(), key=lambda row: row[1]):
                out("  GV_VK_VALUE(%s, %d)" % (value, number))
            out("GV_VK_END(%s)" % name)
        elif category not in ("struct", "union"):
            raise ValueError("what is %s?" % name)


def write_structs(registry, reached, out):
    """Those with an sType last, in its order."""
    types = registry.enums["VkStructureType"]

    def structure_type(name):
        members = reached.members[name]
        return types[members[0].values] if members and members[0].values else -1

    for name in sorted(reached.members, key=lambda name: (structure_type(name), name)):
        kind = structure_type(name)
        if registry.category(name) == "union":
            out("GV_VK_UNION(%s)" % name)
            continue
        out("GV_VK_STRUCT(%s, %s)" % (name, "GV_VK_NO_TYPE" if kind < 0 else kind))
        for field in reached.members[name]:
            out("  GV_VK_MEMBER(%s, %s, %s)" % (name, field.name, field.columns()))
        out("GV_VK_END(%s)" % name)


def read_ids(path):
    with open(path, encoding="ascii") as file:
        rows = [line.split() for line in file if line.strip() and line[0] != "#"]
    return sorted((int(number, 16), name) for number, name in rows)


def write_functions(registry, arguments, out):
    for name, row in registry.functions.items():
        result = registry.core(row.findtext("proto/type"))
        result = "gv_vk_opaque" if result.startswith("PFN_") else result
        out("GV_VK_FUNCTION(%s, %s)" % (name, result))
        for field in arguments[name]:
            out("  GV_VK_ARGUMENT(%s, %s, %s, %s)" %
                (name, field.declaration(), field.name, field.columns()))
        out("GV_VK_END_FUNCTION(%s)" % name)


def write_ids(registry, ids, out):
    for number, name in ids:
        core = registry.same.get(name, name)
        if core in registry.functions:
            out("GV_VK_FILE_ID(0x%x, %s, %s)" % (number, name, core))
        else:
            out("GV_VK_UNKNOWN_ID(0x%x, %s)" % (number, name))


HEAD = """// Made by tools/gen-vk-api.py from vk.xml of Vulkan 1.3.%s and gfxr_ids.tsv: do not edit.
//
// GV_VK_SCALAR(type, class), GV_VK_HANDLE(type)
// GV_VK_ENUM(type, ENUM or FLAGS, as which it is printed): with its
//   GV_VK_VALUE(name, value), GV_VK_END(type)
// GV_VK_FLAGS(type, the enumeration of its bits or VkFlags)
// GV_VK_STRUCT(type, sType or GV_VK_NO_TYPE), GV_VK_UNION(type): with their
//   GV_VK_MEMBER(struct, name, form, type, length, presence), GV_VK_END(type);
//   those with an sType last and in its order
// GV_VK_FUNCTION(name, type of the result): with its
//   GV_VK_ARGUMENT(function, C type, name, form, type, length, presence),
//   GV_VK_END_FUNCTION(name)
// GV_VK_FILE_ID(id in .gfxr files, name, the function that this is another name of or itself)
// GV_VK_UNKNOWN_ID(id, name): a function that this registry does not know
"""
MACROS = ["SCALAR", "HANDLE", "FLAGS", "ENUM", "VALUE", "STRUCT", "UNION", "MEMBER", "END",
          "FUNCTION", "ARGUMENT", "END_FUNCTION", "FILE_ID", "UNKNOWN_ID"]


def main():
    registry = Registry(sys.argv[1] if len(sys.argv) > 1 else REGISTRY)
    ids = read_ids(sys.argv[2] if len(sys.argv) > 2 else IDS)
    reached = Reached(registry)
    arguments = {}
    for name, row in registry.functions.items():
        result = registry.core(row.findtext("proto/type"))
        reached.add("gv_vk_opaque" if result.startswith("PFN_") or result == "void" else result)
        arguments[name] = fields(registry, row, "param", name)
        for field in arguments[name]:
            reached.add(field.type)
    reached.add("VkStructureType")
    version = next("".join(row.itertext()) for row in registry.root.find("types")
                   if row.findtext("name") == "VK_HEADER_VERSION")
    lines = [HEAD % re.search(r"\d+", version.split("VK_HEADER_VERSION")[1]).group()]
    for macro in MACROS:
        lines.append("#ifndef GV_VK_%s\n#define GV_VK_%s(...)\n#endif" % (macro, macro))
    write_types(registry, reached, lines.append)
    write_structs(registry, reached, lines.append)
    write_functions(registry, arguments, lines.append)
    write_ids(registry, ids, lines.append)
    lines += ["#undef GV_VK_" + macro for macro in MACROS]
    print("\n".join(lines))


main()
