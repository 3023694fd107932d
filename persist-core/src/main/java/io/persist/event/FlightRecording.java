package io.persist.event;

/** Whether this runtime has Flight Recorder: one that was put together with jlink may not. */
final class FlightRecording {

    private static final boolean AVAILABLE =
            ModuleLayer.boot().findModule("jdk.jfr").isPresent();

    private FlightRecording() {}

    static boolean isAvailable() {
        return AVAILABLE;
    }
}
