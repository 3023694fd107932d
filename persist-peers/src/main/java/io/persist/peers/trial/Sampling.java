package io.persist.peers.trial;

import java.io.IOException;
import java.nio.file.Path;

/**
 * What a workload tells a profiler, if there is one: when the measured part begins and ends, and which threads do it. A
 * trial has one such part, or several that are alike, one after the other.
 */
public interface Sampling {

    /** Nothing is sampled. */
    Sampling NONE = new Sampling() {};

    /** The one for a trial; what it finds is left in {@code directory}. */
    static Sampling of(Trial trial, Path directory) throws IOException {
        return trial.isProfiled() ? AsyncSampling.of(trial, directory) : NONE;
    }

    /** The measured part begins. May take long the first time, hence call it before the clock is read. */
    default void begin() throws IOException {}

    /** The measured part has ended. */
    default void end() throws IOException {}

    /** The calling thread does what is measured, from now on. */
    default void enter() {}

    /** The calling thread has done it. */
    default void leave() {}
}
