#pragma once
typedef long time_t;
