package io.persist.event;

/** Whether this runtime has Flight Recorder: a runtime made by jlink may not. */
public final class FlightRecording {

    private static final boolean AVAILABLE =
            ModuleLayer.boot().findModule("jdk.jfr").isPresent();

    private FlightRecording() {}

    /**
     * Loads the classes of the events that happen while records are appended, which takes milliseconds the first time:
     * so that it is the opening of a log that takes them, and not its first roll.
     */
    @SuppressWarnings("ReturnValueIgnored") // begun and never recorded
    public static void prepare() {
        if (AVAILABLE) {
            FillerStallEvent.begin();
            SegmentFillEvent.begin();
            SegmentRollEvent.begin();
            SyncEvent.begin();
        }
    }

    static boolean isAvailable() {
        return AVAILABLE;
    }
}
