package io.persist.event;

import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

/** {@code persist.Sync}: records are put on the device. By default only those of 10 ms and more are recorded. */
public final class SyncEvent {

    @Name("persist.Sync")
    @Label("Sync")
    @Description("Records were made to survive power cuts")
    @Threshold("10 ms")
    static final class Recorded extends LogEvent {

        /** Knows whether the event is recorded, without Flight Recorder having to be started for the question. */
        static final Recorded PROBE = new Recorded();

        @Label("From Position")
        @Description("Synced before")
        long fromPosition;

        @Label("To Position")
        @Description("Synced now")
        long toPosition;

        @Label("Waiters")
        @Description("Other threads and futures that waited for a position of the log, whichever and at any level")
        long waiters;

        @Label("Bytes")
        @Description("From the one position to the other")
        @DataAmount
        long bytes;
    }

    private final Recorded recorded = new Recorded();

    private SyncEvent() {
        recorded.begin();
    }

    /** Begins one; null if nobody records it. */
    public static @Nullable SyncEvent begin() {
        return FlightRecording.isStarted() && Recorded.PROBE.isEnabled() ? new SyncEvent() : null;
    }

    /**
     * Records it.
     *
     * @param event what {@link #begin} returned; null does nothing
     * @param log the log's directory
     * @param fromPosition up to which the log was synced before
     * @param toPosition up to which it is synced now
     * @param waiters how many threads and futures waited for any position of the log
     */
    public static void end(@Nullable SyncEvent event, String log, long fromPosition, long toPosition, long waiters) {
        if (event != null) {
            event.recorded.log = log;
            event.recorded.fromPosition = fromPosition;
            event.recorded.toPosition = toPosition;
            event.recorded.waiters = waiters;
            event.recorded.bytes = toPosition - fromPosition;
            event.recorded.commit();
        }
    }
}
