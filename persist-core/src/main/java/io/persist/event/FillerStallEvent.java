package io.persist.event;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import org.jspecify.annotations.Nullable;

/** {@code persist.FillerStall}: the appender waits for space that is not filled yet. */
public final class FillerStallEvent {

    @Name("persist.FillerStall")
    @Label("Filler Stall")
    @Description("The appender waited for space that is filled ahead")
    static final class Recorded extends LogEvent {

        /** Knows whether the event is recorded, without Flight Recorder having to be started for the question. */
        static final Recorded PROBE = new Recorded();

        @Label("Position")
        @Description("Position up to which space was needed")
        long position;

        @Label("Cause")
        @Description(
                "SPACE: none was left; PACE: little was left, and the appender was slowed down to the filler's speed")
        String cause = "";
    }

    /** What the appender waits for. */
    public enum Cause {
        /** There is no filled space left. */
        SPACE,
        /** There is little left: it goes on no faster than space is filled. */
        PACE
    }

    private final Recorded recorded = new Recorded();

    private FillerStallEvent() {
        recorded.begin();
    }

    /** Begins one; null if nobody records it. */
    public static @Nullable FillerStallEvent begin() {
        return FlightRecording.isStarted() && Recorded.PROBE.isEnabled() ? new FillerStallEvent() : null;
    }

    /**
     * Records it.
     *
     * @param event what {@link #begin} returned; null does nothing
     * @param log the log's directory
     * @param position up to which space is needed
     */
    public static void end(@Nullable FillerStallEvent event, String log, long position, Cause cause) {
        if (event != null) {
            event.recorded.log = log;
            event.recorded.position = position;
            event.recorded.cause = cause.name();
            event.recorded.commit();
        }
    }
}
