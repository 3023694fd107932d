package io.persist.event;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** {@code persist.LogFailure}: a write or sync failed, which ends the log's life until it is opened anew. */
public final class LogFailureEvent {

    @Name("persist.LogFailure")
    @Label("Log Failure")
    @Description("A log failed and takes no more records until it is opened anew")
    @StackTrace
    static final class Recorded extends LogEvent {

        @Label("What")
        @Description("What was being done")
        String what = "";

        @Label("Cause")
        @Description("The first failure")
        String cause = "";
    }

    private LogFailureEvent() {}

    /**
     * Records one.
     *
     * @param log the log's directory
     * @param what was being done
     * @param cause the first failure
     */
    public static void record(String log, String what, Throwable cause) {
        if (FlightRecording.isStarted()) {
            Recorded recorded = new Recorded();
            recorded.log = log;
            recorded.what = what;
            recorded.cause = String.valueOf(cause);
            recorded.commit();
        }
    }
}
