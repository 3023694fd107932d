package io.persist.event;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** {@code persist.ListenerFailure}: the application's listener threw, and is not called again. */
public final class ListenerFailureEvent {

    @Name("persist.ListenerFailure")
    @Label("Listener Failure")
    @Description("A listener of positions threw and is not called again")
    static final class Recorded extends LogEvent {

        @Label("Listener")
        @Description("The listener's class")
        String listener = "";

        @Label("Level")
        @Description("The level that it was told of")
        String level = "";

        @Label("Cause")
        @Description("What it threw")
        String cause = "";
    }

    private ListenerFailureEvent() {}

    /**
     * Records one.
     *
     * @param log the log's directory
     * @param listener the listener's class
     * @param level that it was told of
     * @param cause what it threw
     */
    public static void record(String log, String listener, String level, Throwable cause) {
        if (FlightRecording.isStarted()) {
            Recorded recorded = new Recorded();
            recorded.log = log;
            recorded.listener = listener;
            recorded.level = level;
            recorded.cause = String.valueOf(cause);
            recorded.commit();
        }
    }
}
