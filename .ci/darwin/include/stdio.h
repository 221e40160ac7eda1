#pragma once
#include <stddef.h>
typedef struct FILE FILE;
