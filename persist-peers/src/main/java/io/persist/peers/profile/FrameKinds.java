package io.persist.peers.profile;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What kind of work a stack is at. It is that of the frame nearest to its leaf which any pattern knows: the JDK's and
 * Agrona's classes, and the native functions that no pattern names, count for whoever called them.
 */
final class FrameKinds {

    /** The packages of the loops that measure. */
    static final String BENCHMARK = "io/persist/peers/trial/";

    private record Rule(Kind kind, Pattern names) {}

    /** Where a stack is. The frame is the one that says so. */
    record Place(Kind kind, String frame) {}

    /** What async-profiler puts behind the names of the kernel's functions. */
    private static final String KERNEL = "_[k]";

    /** The kernel's functions; what only the last rule knows is another system call. */
    private static final List<Rule> KERNEL_RULES = List.of(
            rule(Kind.PAGES, "page_fault|handle_mm_fault|do_mem_abort"),
            rule(Kind.PAGES, "_sys_(mmap|munmap|mremap|madvise|mprotect|mlock)"),
            rule(Kind.WAITING, "_sys_(futex|sched_yield|nanosleep|clock_nanosleep|e?poll)"),
            rule(
                    Kind.REST,
                    "_sys_(clock_gettime|rt_sigreturn)|^(irq|asm_sysvec_|sysvec_|el[01]t?_irq|exit_to_user_mode)"),
            rule(Kind.DEVICE, "_sys_|do_syscall|el0_svc|entry_SYSCALL"));

    /** Everything else: functions of the JVM and of libraries, and Java methods. */
    private static final List<Rule> USER_RULES = List.of(
            rule(Kind.CHECKSUM, "(?i)crc32|checksum|xxh3|adler32"),
            rule(Kind.COPY, "arraycopy|memmove|memcpy|copyMemory|CopyMemory|Copy::"),
            rule(Kind.COPY, "memset|setMemory|SetMemory|^(arrayof_)?j(byte|short|int)_fill"),
            rule(Kind.PAGES, "^(_*|__GI_)(mmap|munmap|mremap|madvise|mprotect|mlock)(64)?$|[._](map|unmap|load)0$"),
            rule(
                    Kind.DEVICE,
                    "^(_*|__GI_|__libc_)(f?datasync|f?sync|msync|sync_file_range|p?writev?|p?readv?|lseek|open|openat|"
                            + "close|f?truncate|(posix_)?fallocate|f?stat|unlink|rename|fcntl)(64)?(_nocancel)?$"),
            rule(Kind.DEVICE, "DispatcherImpl[._]\\w+0$|MappedMemoryUtils[._]force0$"),
            rule(Kind.WAITING, "futex|pthread_(cond|mutex|join)|lll_lock|Unsafe[._][Pp]ark|ObjectMonitor|ObjectSync"),
            rule(Kind.WAITING, "sched_yield|nanosleep|epoll_wait|java/lang/Thread\\.(yield|sleep|onSpinWait)"),
            rule(Kind.REST, "^(CompileBroker|CompilationPolicy|SafepointMechanism|Deoptimization)::"),
            rule(Kind.REST, "^" + BENCHMARK + "|^org/HdrHistogram/"),
            rule(Kind.JOURNAL, "^(?!(java|javax|jdk|sun|com/sun|org/agrona)/)[\\w$]+(/[^.]+)+\\."));

    private FrameKinds() {}

    private static Rule rule(Kind kind, String names) {
        return new Rule(kind, Pattern.compile(names));
    }

    private static boolean isKernel(String frame) {
        return frame.endsWith(KERNEL);
    }

    /** Of one frame alone; empty if it counts for its caller. */
    static Optional<Kind> of(String frame) {
        return (isKernel(frame) ? KERNEL_RULES : USER_RULES)
                .stream()
                        .filter(rule -> rule.names().matcher(frame).find())
                        .map(Rule::kind)
                        .findFirst();
    }

    /** Of a stack, outermost frame first. */
    static Place of(List<String> stack) {
        for (int i = stack.size() - 1; i >= 0; i--) {
            Optional<Kind> kind = of(stack.get(i));
            if (kind.isPresent()) {
                return new Place(kind.get(), stack.get(i));
            }
        }
        return new Place(Kind.REST, "");
    }
}
