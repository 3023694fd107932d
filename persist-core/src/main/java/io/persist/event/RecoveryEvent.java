package io.persist.event;

import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import org.jspecify.annotations.Nullable;

/**
 * {@code persist.Recovery}: a log is opened for writing, after a close or a crash, or is refused for what is found
 * there. There is none of a log that another writer has locked.
 */
public final class RecoveryEvent {

    @Name("persist.Recovery")
    @Label("Recovery")
    @Description("A log was made appendable")
    static final class Recorded extends LogEvent {

        /** Knows whether the event is recorded, without Flight Recorder having to be started for the question. */
        static final Recorded PROBE = new Recorded();

        @Label("Left")
        @Description("How the last writer left the log; empty if it was refused")
        String left = "";

        @Label("Row")
        @Description("Row of the recovery table that applied; empty if the log was refused")
        String row = "";

        @Label("Records Checked")
        @Description("Records that were read and verified")
        long recordsChecked;

        @Label("Bytes Cut")
        @Description("Unacknowledged bytes that were cut off and kept aside")
        @DataAmount
        long bytesCut;

        @Label("Bytes Missing")
        @Description("Bytes that had been flushed in this run of the operating system, not synced, and are not there")
        @DataAmount
        long bytesMissing;

        @Label("Refusal")
        @Description("Why the log was not opened; empty if it was")
        String refusal = "";
    }

    private final Recorded recorded = new Recorded();

    private RecoveryEvent() {
        recorded.begin();
    }

    /** Begins one; null if nobody records it. */
    public static @Nullable RecoveryEvent begin() {
        return FlightRecording.isStarted() && Recorded.PROBE.isEnabled() ? new RecoveryEvent() : null;
    }

    /**
     * Records it.
     *
     * @param event what {@link #begin} returned; null does nothing
     * @param log the log's directory
     * @param left how the last writer left the log
     * @param row of the recovery table that applied
     * @param recordsChecked how many records were read and verified
     * @param bytesCut unacknowledged bytes that were cut off
     * @param bytesMissing bytes that had been flushed and are not there
     */
    public static void end(
            @Nullable RecoveryEvent event,
            String log,
            String left,
            String row,
            long recordsChecked,
            long bytesCut,
            long bytesMissing) {
        if (event != null) {
            event.recorded.log = log;
            event.recorded.left = left;
            event.recorded.row = row;
            event.recorded.recordsChecked = recordsChecked;
            event.recorded.bytesCut = bytesCut;
            event.recorded.bytesMissing = bytesMissing;
            event.recorded.commit();
        }
    }

    /**
     * Records that the log was not opened.
     *
     * @param event what {@link #begin} returned; null does nothing
     * @param log the log's directory
     * @param cause why it was not
     */
    public static void refused(@Nullable RecoveryEvent event, String log, Throwable cause) {
        if (event != null) {
            event.recorded.log = log;
            event.recorded.refusal = String.valueOf(cause);
            event.recorded.commit();
        }
    }
}
