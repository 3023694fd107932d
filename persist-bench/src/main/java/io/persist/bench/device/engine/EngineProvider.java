package io.persist.bench.device.engine;

import java.util.List;

/** Engines of another module, by {@link java.util.ServiceLoader}: those that need a native library. */
public interface EngineProvider {

    /** Those whose names are in the list of all; one that cannot run here says so by itself. */
    List<DeviceEngine> engines();
}
