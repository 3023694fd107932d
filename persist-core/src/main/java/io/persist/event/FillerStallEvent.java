package io.persist.event;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import org.jspecify.annotations.Nullable;

/** {@code persist.FillerStall}: the appender waits for a segment that is not filled yet. */
public final class FillerStallEvent {

    @Name("persist.FillerStall")
    @Label("Filler Stall")
    @Description("The appender waited for the filler to prepare a segment")
    static final class Recorded extends LogEvent {

        /** Knows whether the event is recorded, without Flight Recorder having to be started for the question. */
        static final Recorded PROBE = new Recorded();

        @Label("Position")
        @Description("Base position of the segment that was waited for")
        long position;
    }

    private final Recorded recorded = new Recorded();

    private FillerStallEvent() {}

    /** Begins one; null if nobody records it. */
    public static @Nullable FillerStallEvent begin() {
        if (!FlightRecording.isAvailable() || !Recorded.PROBE.isEnabled()) {
            return null;
        }
        FillerStallEvent event = new FillerStallEvent();
        event.recorded.begin();
        return event;
    }

    /**
     * Records it.
     *
     * @param event what {@link #begin} returned; null does nothing
     * @param log the log's directory
     * @param position base position of the segment that was waited for
     */
    public static void end(@Nullable FillerStallEvent event, String log, long position) {
        if (event != null) {
            event.end(log, position);
        }
    }

    private void end(String log, long position) {
        recorded.end();
        if (recorded.shouldCommit()) {
            recorded.log = log;
            recorded.position = position;
            recorded.commit();
        }
    }
}
