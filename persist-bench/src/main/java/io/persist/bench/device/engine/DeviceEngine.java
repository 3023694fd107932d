package io.persist.bench.device.engine;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * One of the ways to reach a file.
 *
 * @param name as flags and tables call it
 * @param fio the flags with which fio does the same
 * @param opener opens it
 * @param missing why it cannot run here and what to do about it, in one line; empty if it can
 */
public record DeviceEngine(
        String name, Set<Trait> traits, List<String> fio, Opener opener, Supplier<Optional<String>> missing) {

    /** Opens an access; what the JVM or the file system refuses is an exception whose message says why. */
    @FunctionalInterface
    public interface Opener {
        Access open(AccessSpec spec) throws IOException;
    }

    /** One that is never missing. */
    public static DeviceEngine of(String name, Set<Trait> traits, List<String> fio, Opener opener) {
        return new DeviceEngine(name, traits, fio, opener, Optional::empty);
    }

    /** One that this process has not got. */
    public static DeviceEngine absent(String name, String why) {
        return new DeviceEngine(
                name,
                Set.of(Trait.QUEUES),
                List.of(),
                spec -> {
                    throw new IOException(why);
                },
                () -> Optional.of(why));
    }

    public boolean has(Trait trait) {
        return traits.contains(trait);
    }
}
