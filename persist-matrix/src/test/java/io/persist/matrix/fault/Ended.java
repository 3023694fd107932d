package io.persist.matrix.fault;

import io.persist.error.PersistException;
import io.persist.matrix.Life;
import io.persist.testkit.PowerCut;

/** A life whose storage is off. */
public final class Ended {

    private Ended() {}

    /** Ends its threads. */
    public static void close(Life life) {
        try {
            life.close();
        } catch (PersistException | PowerCut off) {
            // That is what became of it.
        }
    }
}
