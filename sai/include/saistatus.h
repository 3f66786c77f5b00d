/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_INCLUDE_SAISTATUS_H
#define ORCHD_SAI_INCLUDE_SAISTATUS_H

/* Status codes of SAI.
 *
 * Zero is success and every error is negative.  An error in one attribute of
 * a list says which one it was; see the families below. */

#include <saitypes.h>

#define SAI_STATUS_CODE(n) (-(n))

#define SAI_STATUS_SUCCESS 0
/* An error without a better code. */
#define SAI_STATUS_FAILURE SAI_STATUS_CODE(0x01)
/* The device cannot do this. */
#define SAI_STATUS_NOT_SUPPORTED SAI_STATUS_CODE(0x02)
/* Out of host memory. */
#define SAI_STATUS_NO_MEMORY SAI_STATUS_CODE(0x03)
/* Out of device resources. */
#define SAI_STATUS_INSUFFICIENT_RESOURCES SAI_STATUS_CODE(0x04)
/* An argument makes no sense. */
#define SAI_STATUS_INVALID_PARAMETER SAI_STATUS_CODE(0x05)
/* Another object has the same key. */
#define SAI_STATUS_ITEM_ALREADY_EXISTS SAI_STATUS_CODE(0x06)
/* No object has this key. */
#define SAI_STATUS_ITEM_NOT_FOUND SAI_STATUS_CODE(0x07)
/* A list is too short; its count now says what is needed. */
#define SAI_STATUS_BUFFER_OVERFLOW     SAI_STATUS_CODE(0x08)
#define SAI_STATUS_INVALID_PORT_NUMBER SAI_STATUS_CODE(0x09)
#define SAI_STATUS_INVALID_PORT_MEMBER SAI_STATUS_CODE(0x0a)
#define SAI_STATUS_INVALID_VLAN_ID     SAI_STATUS_CODE(0x0b)
/* sai_api_initialize() has not been called. */
#define SAI_STATUS_UNINITIALIZED SAI_STATUS_CODE(0x0c)
/* A hardware table is full. */
#define SAI_STATUS_TABLE_FULL SAI_STATUS_CODE(0x0d)
/* A create call lacks an attribute. */
#define SAI_STATUS_MANDATORY_ATTRIBUTE_MISSING SAI_STATUS_CODE(0x0e)
/* The library does not do this, or not yet. */
#define SAI_STATUS_NOT_IMPLEMENTED SAI_STATUS_CODE(0x0f)
#define SAI_STATUS_ADDR_NOT_FOUND  SAI_STATUS_CODE(0x10)
/* Another object refers to this one. */
#define SAI_STATUS_OBJECT_IN_USE SAI_STATUS_CODE(0x11)
/* The object argument is of the wrong type. */
#define SAI_STATUS_INVALID_OBJECT_TYPE SAI_STATUS_CODE(0x12)
/* The object argument does not exist. */
#define SAI_STATUS_INVALID_OBJECT_ID SAI_STATUS_CODE(0x13)
/* State for a warm restart is unusable. */
#define SAI_STATUS_INVALID_NV_STORAGE          SAI_STATUS_CODE(0x14)
#define SAI_STATUS_NV_STORAGE_FULL             SAI_STATUS_CODE(0x15)
#define SAI_STATUS_SW_UPGRADE_VERSION_MISMATCH SAI_STATUS_CODE(0x16)
/* A bulk call stopped before this object. */
#define SAI_STATUS_NOT_EXECUTED SAI_STATUS_CODE(0x17)
/* The object is of the other direction. */
#define SAI_STATUS_STAGE_MISMATCH SAI_STATUS_CODE(0x18)

/* Codes that point at one attribute of the list: the code of attribute i is
 * NAME_0 - i (they are negative), down to NAME_MAX.
 *
 * INVALID_ATTRIBUTE: read-only in create or set, create-only in set.
 * INVALID_ATTR_VALUE: out of range, or an object of the wrong type.
 * ATTR_NOT_IMPLEMENTED: not by this library yet.  UNKNOWN_ATTRIBUTE: no
 * such id.  ATTR_NOT_SUPPORTED: not by this hardware. */
#define SAI_STATUS_INVALID_ATTRIBUTE_0      SAI_STATUS_CODE(0x10000)
#define SAI_STATUS_INVALID_ATTRIBUTE_MAX    SAI_STATUS_CODE(0x1ffff)
#define SAI_STATUS_INVALID_ATTR_VALUE_0     SAI_STATUS_CODE(0x20000)
#define SAI_STATUS_INVALID_ATTR_VALUE_MAX   SAI_STATUS_CODE(0x2ffff)
#define SAI_STATUS_ATTR_NOT_IMPLEMENTED_0   SAI_STATUS_CODE(0x30000)
#define SAI_STATUS_ATTR_NOT_IMPLEMENTED_MAX SAI_STATUS_CODE(0x3ffff)
#define SAI_STATUS_UNKNOWN_ATTRIBUTE_0      SAI_STATUS_CODE(0x40000)
#define SAI_STATUS_UNKNOWN_ATTRIBUTE_MAX    SAI_STATUS_CODE(0x4ffff)
#define SAI_STATUS_ATTR_NOT_SUPPORTED_0     SAI_STATUS_CODE(0x50000)
#define SAI_STATUS_ATTR_NOT_SUPPORTED_MAX   SAI_STATUS_CODE(0x5ffff)

/* Whether status 's' is of a family, at any index.  The helpers of the same
 * name in OCP releases up to 1.18.1 mask the negative number and hold for
 * index 0 only; these negate first. */
#define SAI_STATUS_IS_INVALID_ATTRIBUTE(s)                                     \
    (((-(s)) >> 16) == ((-(SAI_STATUS_INVALID_ATTRIBUTE_0)) >> 16))
#define SAI_STATUS_IS_INVALID_ATTR_VALUE(s)                                    \
    (((-(s)) >> 16) == ((-(SAI_STATUS_INVALID_ATTR_VALUE_0)) >> 16))
#define SAI_STATUS_IS_ATTR_NOT_IMPLEMENTED(s)                                  \
    (((-(s)) >> 16) == ((-(SAI_STATUS_ATTR_NOT_IMPLEMENTED_0)) >> 16))
#define SAI_STATUS_IS_UNKNOWN_ATTRIBUTE(s)                                     \
    (((-(s)) >> 16) == ((-(SAI_STATUS_UNKNOWN_ATTRIBUTE_0)) >> 16))
#define SAI_STATUS_IS_ATTR_NOT_SUPPORTED(s)                                    \
    (((-(s)) >> 16) == ((-(SAI_STATUS_ATTR_NOT_SUPPORTED_0)) >> 16))

#endif /* saistatus.h */
