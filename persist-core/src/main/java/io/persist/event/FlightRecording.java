package io.persist.event;

import jdk.jfr.FlightRecorder;

/** Whether somebody may record events: a runtime made by jlink may not even have Flight Recorder. */
public final class FlightRecording {

    private static final boolean AVAILABLE =
            ModuleLayer.boot().findModule("jdk.jfr").isPresent();

    private FlightRecording() {}

    /**
     * Loads the classes of the events that happen while records are appended, which takes milliseconds the first time:
     * so that it is the opening of a log that takes them, and not its first roll. Where Flight Recorder was not started
     * yet, nothing is loaded, and opening is the faster for it; the first event after it is started takes them then.
     */
    @SuppressWarnings("ReturnValueIgnored") // begun and never recorded
    public static void prepare() {
        FillerStallEvent.begin();
        SegmentMadeEvent.begin();
        SegmentRollEvent.begin();
        SyncEvent.begin();
    }

    /** Whether Flight Recorder was started; if not, no event is recorded, and no class of an event has to be loaded. */
    static boolean isStarted() {
        return AVAILABLE && FlightRecorder.isInitialized();
    }
}
