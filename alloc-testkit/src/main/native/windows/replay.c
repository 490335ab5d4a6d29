// Copyright the Ashlar authors. SPDX-License-Identifier: Apache-2.0
//
// Makes the memory calls of a recording (see RecordedWindowsCalls) on the Windows API that it runs
// on, and compares each outcome: whether the call succeeds, how the address is aligned, and what
// VirtualQuery says of the range afterwards. What the binding takes from the headers is checked when
// this is compiled. Ends with 0 if every call agrees.
#define _WIN32_WINNT 0x0A00
#include <windows.h>
#include <psapi.h>
#include <stddef.h>
#include <stdio.h>

#define SIZE(type, bytes) _Static_assert(sizeof(type) == (bytes), #type)
#define OFFSET(type, field, bytes) _Static_assert(offsetof(type, field) == (bytes), #type "." #field)
#define VALUE(name, number) _Static_assert((name) == (number), #name)

SIZE(SYSTEM_INFO, 48);
OFFSET(SYSTEM_INFO, dwPageSize, 4);
OFFSET(SYSTEM_INFO, dwAllocationGranularity, 40);
SIZE(MEMORYSTATUSEX, 64);
OFFSET(MEMORYSTATUSEX, ullTotalPhys, 8);
SIZE(PROCESS_MEMORY_COUNTERS, 72);
OFFSET(PROCESS_MEMORY_COUNTERS, PeakWorkingSetSize, 8);
OFFSET(PROCESS_MEMORY_COUNTERS, WorkingSetSize, 16);
OFFSET(PROCESS_MEMORY_COUNTERS, PagefileUsage, 56);
SIZE(MEMORY_BASIC_INFORMATION, 48);
OFFSET(MEMORY_BASIC_INFORMATION, AllocationProtect, 16);
SIZE(JOBOBJECT_EXTENDED_LIMIT_INFORMATION, 144);
OFFSET(JOBOBJECT_EXTENDED_LIMIT_INFORMATION, BasicLimitInformation.LimitFlags, 16);
OFFSET(JOBOBJECT_EXTENDED_LIMIT_INFORMATION, ProcessMemoryLimit, 112);
OFFSET(JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JobMemoryLimit, 120);
SIZE(MEM_EXTENDED_PARAMETER, 16);
SIZE(MEM_ADDRESS_REQUIREMENTS, 24);
OFFSET(MEM_ADDRESS_REQUIREMENTS, Alignment, 16);
VALUE(MEM_COMMIT, 0x1000);
VALUE(MEM_RESERVE, 0x2000);
VALUE(MEM_DECOMMIT, 0x4000);
VALUE(MEM_RELEASE, 0x8000);
VALUE(MEM_RESET, 0x80000);
VALUE(MEM_LARGE_PAGES, 0x20000000);
VALUE(PAGE_NOACCESS, 0x01);
VALUE(PAGE_READONLY, 0x02);
VALUE(PAGE_READWRITE, 0x04);
VALUE(ERROR_INVALID_ADDRESS, 487);
VALUE(ERROR_PRIVILEGE_NOT_HELD, 1314);
VALUE(ERROR_COMMITMENT_LIMIT, 1455);
VALUE(MemExtendedParameterAddressRequirements, 1);
VALUE(JobObjectExtendedLimitInformation, 9);
VALUE(JOB_OBJECT_LIMIT_PROCESS_MEMORY, 0x100);
VALUE(JOB_OBJECT_LIMIT_JOB_MEMORY, 0x200);

typedef PVOID(WINAPI *Alloc2)(
    HANDLE, PVOID, SIZE_T, ULONG, ULONG, MEM_EXTENDED_PARAMETER *, ULONG);

typedef unsigned long long Number;

// Where a reservation of the recording is here.
typedef struct {
  Number recorded, here, bytes;
} Reservation;

#define MOST_RESERVATIONS 4096

static Reservation reservations[MOST_RESERVATIONS];
static int reservationCount;
static long line_number, disagreements;

static void disagree(const char *what, Number wanted, Number found) {
  disagreements++;
  printf("line %ld: %s: recorded %llx, here %llx (error %lu)\n", line_number, what, wanted, found,
         GetLastError());
}

static void expect(const char *what, Number wanted, Number found) {
  if (wanted != found) {
    disagree(what, wanted, found);
  }
}

static Reservation *find(Number address) {
  for (int i = 0; i < reservationCount; i++) {
    if (address - reservations[i].recorded < reservations[i].bytes) {
      return &reservations[i];
    }
  }
  return NULL;
}

static Number translate(Number address) {
  Reservation *reservation = find(address);
  return reservation == NULL ? 0 : address - reservation->recorded + reservation->here;
}

static void remember(Number recorded, Number here, Number bytes) {
  if (reservationCount == MOST_RESERVATIONS) {
    printf("more than %d reservations\n", MOST_RESERVATIONS);
    ExitProcess(2);
  }
  reservations[reservationCount++] = (Reservation){recorded, here, bytes};
}

static void expect_state(Number address, Number bytes, DWORD state, DWORD protection) {
  Number ends[2] = {address, address + bytes - 1};
  for (int i = 0; i < 2; i++) {
    MEMORY_BASIC_INFORMATION information;
    if (VirtualQuery((void *)ends[i], &information, sizeof information) == 0) {
      disagree("VirtualQuery", 1, 0);
      continue;
    }
    expect("state", state, information.State);
    if (state == MEM_COMMIT) {
      expect("protection", protection, information.Protect);
      if (protection != PAGE_NOACCESS) {
        volatile char *byte = (volatile char *)ends[i];
        char old = *byte;
        if (protection == PAGE_READWRITE) {
          *byte = old;
        }
      }
    }
  }
}

static void reserved(Number result, Number here, Number bytes, DWORD type, DWORD protection) {
  expect("reservation", result != 0, here != 0);
  if (result == 0 || here == 0) {
    if (here != 0) {
      VirtualFree((void *)here, 0, MEM_RELEASE);
    }
    return;
  }
  remember(result, here, bytes);
  expect_state(here, bytes, type & MEM_COMMIT ? MEM_COMMIT : MEM_RESERVE, protection);
}

static void alloc(const Number *n) {
  DWORD type = (DWORD)n[2], protection = (DWORD)n[3];
  if (n[0] == 0) {
    reserved(n[4], (Number)VirtualAlloc(NULL, n[1], type, protection), n[1], type, protection);
    return;
  }
  Number here = translate(n[0]);
  Number result = (Number)VirtualAlloc((void *)here, n[1], type, protection);
  expect("VirtualAlloc", n[4] != 0, result != 0);
  if (result != 0 && type == MEM_COMMIT) {
    expect_state(here, n[1], MEM_COMMIT, protection);
  }
}

static void alloc_aligned(const Number *n) {
  HMODULE library = GetModuleHandleA("kernelbase.dll");
  Alloc2 function = (Alloc2)(void (*)(void))GetProcAddress(library, "VirtualAlloc2");
  MEM_ADDRESS_REQUIREMENTS requirements = {0};
  requirements.Alignment = n[1];
  MEM_EXTENDED_PARAMETER parameter = {0};
  parameter.Type = MemExtendedParameterAddressRequirements;
  parameter.Pointer = &requirements;
  Number here = (Number)function(
      GetCurrentProcess(), NULL, n[0], (DWORD)n[2], (DWORD)n[3], &parameter, 1);
  expect("alignment", 0, here % n[1]);
  reserved(n[4], here, n[0], (DWORD)n[2], (DWORD)n[3]);
}

static void release(const Number *n) {
  Number here = translate(n[0]);
  BOOL done = VirtualFree((void *)here, n[1], (DWORD)n[2]);
  expect("VirtualFree", n[3], done != 0);
  if (!done) {
    return;
  }
  if (n[2] == MEM_DECOMMIT) {
    expect_state(here, n[1], MEM_RESERVE, 0);
    return;
  }
  expect_state(here, 1, MEM_FREE, 0);
  Reservation *reservation = find(n[0]);
  if (reservation != NULL) {
    *reservation = reservations[--reservationCount];
  }
}

static void protect(const Number *n) {
  DWORD old;
  Number here = translate(n[0]);
  BOOL done = VirtualProtect((void *)here, n[1], (DWORD)n[2], &old);
  expect("VirtualProtect", n[3], done != 0);
  if (done) {
    expect_state(here, n[1], MEM_COMMIT, (DWORD)n[2]);
  }
}

static void query(const Number *n) {
  MEMORY_BASIC_INFORMATION information;
  if (VirtualQuery((void *)translate(n[0]), &information, sizeof information) == 0) {
    disagree("VirtualQuery", 1, 0);
  } else {
    expect("AllocationProtect", n[1], information.AllocationProtect);
  }
}

int main(int count, char **arguments) {
  if (count != 2) {
    printf("usage: replay <recording>\n");
    return 2;
  }
  FILE *file = fopen(arguments[1], "r");
  if (file == NULL) {
    printf("cannot read %s\n", arguments[1]);
    return 2;
  }
  char line[256];
  while (fgets(line, sizeof line, file) != NULL) {
    char call;
    Number n[5] = {0};
    line_number++;
    if (sscanf(line, "%c %llx %llx %llx %llx %llx", &call, n, n + 1, n + 2, n + 3, n + 4) < 3) {
      printf("line %ld is none of a recording\n", line_number);
      return 2;
    }
    switch (call) {
      case 'A': alloc(n); break;
      case 'B': alloc_aligned(n); break;
      case 'F': release(n); break;
      case 'P': protect(n); break;
      case 'Q': query(n); break;
      default:
        printf("line %ld: no call %c\n", line_number, call);
        return 2;
    }
  }
  fclose(file);
  printf("%ld calls, %ld disagreements\n", line_number, disagreements);
  return line_number > 0 && disagreements == 0 ? 0 : 1;
}
