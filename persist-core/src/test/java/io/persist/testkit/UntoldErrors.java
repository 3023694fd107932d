package io.persist.testkit;

import java.io.IOException;

/**
 * What one descriptor of a file, or one mapping, has still to be told of failed syncs. Linux reports an error of
 * writing back once to each that was open when it happened, by its next sync: its {@code errseq_t}, since Linux 4.13.
 * One that is opened later hears nothing of it.
 *
 * <p>The storage's lock is held.
 */
final class UntoldErrors {

    private final SimulatedFile file;
    private int told;

    UntoldErrors(SimulatedFile file) {
        this.file = file;
        this.told = file.failedSyncs();
    }

    /** A sync of the range fails, and says so itself. */
    void syncFailed(int offset, int length) {
        file.syncFailed(offset, length);
        told = file.failedSyncs();
    }

    /** A sync has been done. It fails if another one did since the last one. */
    void tell() throws IOException {
        if (told < file.failedSyncs()) {
            told = file.failedSyncs();
            throw new IOException("Input/output error (of another sync of the file): " + file.name);
        }
    }
}
