package io.persist.event;

import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import org.jspecify.annotations.Nullable;

/** {@code persist.SegmentMade}: a segment was made: a header, a sync, its name. It is not filled with zeros yet. */
public final class SegmentMadeEvent {

    @Name("persist.SegmentMade")
    @Label("Segment Made")
    @Description("A segment was made; it is filled with zeros later")
    static final class Recorded extends LogEvent {

        /** Knows whether the event is recorded, without Flight Recorder having to be started for the question. */
        static final Recorded PROBE = new Recorded();

        @Label("File")
        @Description("Name of the segment")
        String file = "";

        @Label("Bytes")
        @Description("Length of the segment")
        @DataAmount
        long bytes;
    }

    private final Recorded recorded = new Recorded();

    private SegmentMadeEvent() {
        recorded.begin();
    }

    /** Begins one; null if nobody records it. */
    public static @Nullable SegmentMadeEvent begin() {
        return FlightRecording.isStarted() && Recorded.PROBE.isEnabled() ? new SegmentMadeEvent() : null;
    }

    /**
     * Records it.
     *
     * @param event what {@link #begin} returned; null does nothing
     * @param log the log's directory
     * @param file the segment's name
     * @param bytes its length
     */
    public static void end(@Nullable SegmentMadeEvent event, String log, String file, long bytes) {
        if (event != null) {
            event.recorded.log = log;
            event.recorded.file = file;
            event.recorded.bytes = bytes;
            event.recorded.commit();
        }
    }
}
