// Types of Darwin's C library that a Swift declaration cannot express: a type and a function with one name, and an array in a
// structure. The C names are private, so that they do not collide with the headers of this machine.
#define NAMED(name) __attribute__((swift_name(name)))

typedef struct NAMED("timespec") darwin_timespec {
  long tv_sec;
  long tv_nsec;
} darwin_timespec;

typedef struct NAMED("stat") darwin_stat {
  int st_dev;
  unsigned short st_mode, st_nlink;
  unsigned long long st_ino;
  unsigned int st_uid, st_gid;
  int st_rdev;
  darwin_timespec st_atimespec, st_mtimespec, st_ctimespec, st_birthtimespec;
  long long st_size, st_blocks;
  int st_blksize;
  unsigned int st_flags, st_gen;
} darwin_stat;

int darwin_stat_path(const char *, darwin_stat *) NAMED("stat(_:_:)");
int darwin_lstat(const char *, darwin_stat *) NAMED("lstat(_:_:)");
int darwin_fstat(int, darwin_stat *) NAMED("fstat(_:_:)");

typedef struct NAMED("dirent") darwin_dirent {
  unsigned long long d_ino, d_seekoff;
  unsigned short d_reclen, d_namlen;
  unsigned char d_type;
  char d_name[1024];
} darwin_dirent;

typedef struct NAMED("timeval") darwin_timeval {
  long tv_sec;
  int tv_usec;
} darwin_timeval;

typedef struct NAMED("extern_proc") darwin_extern_proc {
  union NAMED("__Unnamed_union_p_un") {
    darwin_timeval __p_starttime;
  } p_un;
  char p_stat;
} darwin_extern_proc;

typedef struct NAMED("kinfo_proc") darwin_kinfo_proc {
  darwin_extern_proc kp_proc;
} darwin_kinfo_proc;
