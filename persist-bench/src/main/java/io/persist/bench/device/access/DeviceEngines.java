package io.persist.bench.device.access;

import io.persist.bench.device.engine.DeviceEngine;
import io.persist.bench.device.engine.EngineProvider;
import io.persist.bench.device.engine.Trait;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;

/** All engines, in the order of the tables; those that are not there are among them, and say why. */
public final class DeviceEngines {

    /** What only a native library can do. */
    public static final List<String> NATIVE = List.of("libaio", "io_uring", "io_uring-direct");

    private static final String REMEDY = "it is in the module persist-peers, which is not on this class path;"
            + " use bin/persist device in a checkout, after mvn -DskipTests package";

    private static final List<DeviceEngine> PLAIN = List.of(
            channel("channel", Set.of(), List.of("--ioengine=psync")),
            channel("direct", Set.of(Trait.DIRECT), List.of("--ioengine=psync", "--direct=1")),
            channel("dsync", Set.of(Trait.SYNCED), List.of("--ioengine=psync", "--sync=dsync")),
            channel(
                    "direct-dsync",
                    Set.of(Trait.DIRECT, Trait.SYNCED),
                    List.of("--ioengine=psync", "--direct=1", "--sync=dsync")),
            randomFile("rw", Set.of(), List.of("--ioengine=psync")),
            randomFile("rwd", Set.of(Trait.SYNCED), List.of("--ioengine=psync", "--sync=dsync")),
            randomFile("rws", Set.of(Trait.SYNCED), List.of("--ioengine=psync", "--sync=sync")),
            DeviceEngine.of("mmap", Set.of(Trait.FIXED_LENGTH), List.of("--ioengine=mmap"), MappedAccess::open),
            DeviceEngine.of("aio", Set.of(Trait.QUEUES), List.of("--ioengine=posixaio"), AsyncAccess::open));

    private final Map<String, DeviceEngine> engines = new LinkedHashMap<>();

    private DeviceEngines(Iterable<EngineProvider> providers) {
        PLAIN.forEach(engine -> engines.put(engine.name(), engine));
        NATIVE.forEach(name -> engines.put(name, DeviceEngine.absent(name, REMEDY)));
        providers.forEach(provider -> provider.engines().forEach(engine -> engines.replace(engine.name(), engine)));
    }

    /** Those of this module, and of what is on the class path besides. */
    public static DeviceEngines load() {
        return new DeviceEngines(ServiceLoader.load(EngineProvider.class));
    }

    /** Those of this module alone. */
    public static DeviceEngines plain() {
        return new DeviceEngines(List.of());
    }

    private static DeviceEngine channel(String name, Set<Trait> traits, List<String> fio) {
        return DeviceEngine.of(name, traits, fio, spec -> ChannelAccess.open(spec, traits));
    }

    private static DeviceEngine randomFile(String mode, Set<Trait> traits, List<String> fio) {
        return DeviceEngine.of("raf-" + mode, traits, fio, spec -> RandomFileAccess.open(spec, mode));
    }

    public List<String> names() {
        return new ArrayList<>(engines.keySet());
    }

    public List<DeviceEngine> all() {
        return new ArrayList<>(engines.values());
    }
}
