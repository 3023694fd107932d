package io.persist.peers.engine;

import java.io.IOException;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * One of the engines that can be compared.
 *
 * @param id as flags and tables call it: "chronicle"
 * @param library its name and version, as far as it is one of another project
 * @param survivalWhenBuffered what takes nothing away when an append at {@code BUFFERED} has returned; with {@code
 *     POWER_CUT} it syncs each append, and is compared only where all do
 * @param reading who can read meanwhile
 * @param spaces in which it can be measured
 * @param missing why it cannot run here, in one line; empty if it can
 */
public record EngineKind(
        String id,
        String library,
        Survival survivalWhenBuffered,
        Reading reading,
        Set<Space> spaces,
        Factory factory,
        Supplier<Optional<String>> missing) {

    /** Who can read what a producer has appended and not yet closed. */
    public enum Reading {
        /** Readers in this process and in others. */
        ANY_PROCESS,
        /** Readers in the process of the producer. */
        SAME_PROCESS,
        /** Readers in this process and in others, each of what is appended once it is there. */
        LIVE,
        /** Nobody, before the engine has been closed and is opened again. */
        AFTER_CLOSE
    }

    /** An engine that is never missing. */
    public static EngineKind of(
            String id, String library, Survival survivalWhenBuffered, Reading reading, Factory factory) {
        return new EngineKind(
                id, library, survivalWhenBuffered, reading, EnumSet.allOf(Space.class), factory, Optional::empty);
    }

    /** The same for one kind of space. */
    public EngineKind only(Space space) {
        return new EngineKind(id, library, survivalWhenBuffered, reading, EnumSet.of(space), factory, missing);
    }

    /** Opens an engine. */
    @FunctionalInterface
    public interface Factory {
        Engine open(EngineConfig config) throws IOException;
    }
}
