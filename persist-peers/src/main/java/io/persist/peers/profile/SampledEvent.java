package io.persist.peers.profile;

import java.util.Locale;

/** What async-profiler takes its samples by. */
public enum SampledEvent {
    /** The kernel's own timer, by perf_event_open; needs no counters in the hardware. */
    CPU_CLOCK("interval=200us"),
    /** A timer for each thread, which ticks no faster than the kernel does. */
    CTIMER("interval=1ms"),
    /** A timer for the process, where there is nothing better. */
    ITIMER("interval=1ms"),
    /**
     * Time that passes, of the threads that measure: idle ones would be all that is seen otherwise. Not in batches, in
     * which a thread that falls asleep between two looks is taken to be where it was seen last.
     */
    WALL("interval=1ms,nobatch,filter=");

    private final String settings;

    SampledEvent(String settings) {
        this.settings = settings;
    }

    /** As async-profiler calls it. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** What async-profiler is started with. */
    public String options() {
        return "event=" + id() + "," + settings;
    }

    /** Of what the samples are, and what cannot be seen in them. */
    public String description() {
        return switch (this) {
            case CPU_CLOCK -> "CPU time, every 0.2 ms.";
            case CTIMER, ITIMER ->
                "CPU time, every few ms. Kernel frames are missing, since perf_event_open is not allowed here: what the"
                        + " kernel does counts for who called it.";
            case WALL ->
                "time with all waiting, every ms. Kernel frames are missing: what the kernel does counts for who"
                        + " called it.";
        };
    }
}
