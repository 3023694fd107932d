package io.persist.event;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import org.jspecify.annotations.Nullable;

/** {@code persist.SegmentRoll}: the appender seals a segment and goes on in the next, stalls included. */
public final class SegmentRollEvent {

    @Name("persist.SegmentRoll")
    @Label("Segment Roll")
    @Description("The appender went on in the next segment")
    static final class Recorded extends LogEvent {

        /** Knows whether the event is recorded, without Flight Recorder having to be started for the question. */
        static final Recorded PROBE = new Recorded();

        @Label("Sealed")
        @Description("Base position of the segment that is full")
        long sealed;

        @Label("Next")
        @Description("Base position of the segment that is used from now on")
        long next;
    }

    private final Recorded recorded = new Recorded();

    private SegmentRollEvent() {
        recorded.begin();
    }

    /** Begins one; null if nobody records it. */
    public static @Nullable SegmentRollEvent begin() {
        return FlightRecording.isStarted() && Recorded.PROBE.isEnabled() ? new SegmentRollEvent() : null;
    }

    /**
     * Records it.
     *
     * @param event what {@link #begin} returned; null does nothing
     * @param log the log's directory
     * @param sealed base position of the segment that is full
     * @param next base position of the next one
     */
    public static void end(@Nullable SegmentRollEvent event, String log, long sealed, long next) {
        if (event != null) {
            event.recorded.log = log;
            event.recorded.sealed = sealed;
            event.recorded.next = next;
            event.recorded.commit();
        }
    }
}
