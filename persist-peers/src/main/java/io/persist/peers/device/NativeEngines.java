package io.persist.peers.device;

import io.persist.bench.device.engine.DeviceEngine;
import io.persist.bench.device.engine.EngineProvider;
import io.persist.bench.device.engine.Trait;
import java.util.List;
import java.util.Set;

/** libaio by the library of Artemis, and io_uring by the one of LWJGL. */
public final class NativeEngines implements EngineProvider {

    /** For {@link java.util.ServiceLoader}. */
    public NativeEngines() {}

    @Override
    public List<DeviceEngine> engines() {
        return List.of(
                new DeviceEngine(
                        "libaio",
                        Set.of(Trait.QUEUES, Trait.DIRECT),
                        List.of("--ioengine=libaio", "--direct=1"),
                        LibaioAccess::open,
                        LibaioAccess::missing),
                new DeviceEngine(
                        "io_uring",
                        Set.of(Trait.QUEUES),
                        List.of("--ioengine=io_uring"),
                        spec -> UringAccess.open(spec, 0),
                        UringAccess::missing),
                new DeviceEngine(
                        "io_uring-direct",
                        Set.of(Trait.QUEUES, Trait.DIRECT),
                        List.of("--ioengine=io_uring", "--direct=1"),
                        UringAccess::openDirect,
                        UringAccess::missing));
    }
}
