package io.persist.file.disk;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;

/**
 * Runs operations of a {@link java.nio.channels.FileChannel} so that an interrupt does no harm.
 *
 * <p>A channel closes itself when the thread that uses it is interrupted, for all threads and with its locks.
 */
final class Interrupts {

    interface Operation<T> {
        T run() throws IOException;
    }

    private Interrupts() {}

    /**
     * Runs {@code operation} with the thread's interrupt flag down and puts it up again afterwards. The operation opens
     * its own channel, because an interrupt that arrives in between still closes that one; it is then run again. If it
     * maps a file, the JDK may have made the mapping and lost it: only threads that nobody interrupts would be safe.
     */
    static <T> T shield(Operation<T> operation) throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    return operation.run();
                } catch (ClosedByInterruptException interruptedNow) {
                    interrupted |= Thread.interrupted();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
