package io.persist.log;

import io.persist.file.BootId;
import io.persist.file.Storage;
import io.persist.format.ControlBlock;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * How far tailers may look. In {@link WriteMode#FILE} a writer publishes by writing, so a frame whose length can be
 * seen may not be whole yet. With {@link ReadScope#SYNCED} what a power cut could take back is hidden too. Without a
 * writer on this boot there is no bound: what can be read was on the disk, and the checksums decide.
 */
final class Visibility implements AutoCloseable {

    private final Storage storage;
    private final ReadScope scope;
    private final BootId boot;
    private @Nullable ControlFile control;
    private boolean sameBoot;

    Visibility(Storage storage, ReadScope scope) throws IOException {
        this.storage = storage;
        this.scope = scope;
        this.boot = storage.bootId();
        this.control = ControlFile.open(storage, Storage.Access.READ);
    }

    /** The position that must not be passed. Pairs with {@code ControlBlock.visible(long)} and {@code synced(long)}. */
    long limit() {
        ControlFile file = control;
        if (file == null) {
            return scope == ReadScope.SYNCED ? 0 : Long.MAX_VALUE; // nothing says what is synced
        }
        if (isOfThisBoot(file)) {
            long visible = file.block().visible();
            return scope == ReadScope.SYNCED ? Math.min(visible, file.block().syncedOnThisBoot()) : visible;
        }
        boolean isUnknown = boot.equals(BootId.UNKNOWN);
        return scope == ReadScope.SYNCED && isUnknown ? file.block().synced() : Long.MAX_VALUE;
    }

    /**
     * Whether the record at {@code position}, which is below the {@code limit} that was found before it was looked at,
     * has to stay hidden after all: a writer was opened in between, whose control block bounds what it publishes. Who
     * sees the record sees that too, as the writer set its boot id before it published anything.
     */
    boolean hides(long position, long limit) {
        return scope == ReadScope.SYNCED && limit == Long.MAX_VALUE && position >= limit();
    }

    private boolean isOfThisBoot(ControlFile file) {
        if (!sameBoot) {
            sameBoot = file.block().isBoot(boot.high(), boot.low());
        }
        return sameBoot;
    }

    /** Up to where the log is known to be synced, 0 if it is not known. */
    long synced() {
        ControlFile file = control;
        if (file == null) {
            return 0;
        }
        return isOfThisBoot(file) ? file.block().syncedOnThisBoot() : 0;
    }

    /**
     * Up to where records have to be there, whichever boot they are of: what a control block says was synced; 0 if it
     * does not say so, and sometimes while the position is being stored.
     */
    long acknowledged() {
        ControlFile file = control;
        return file == null ? 0 : file.block().synced();
    }

    /**
     * Whether no writer has opened the log since the operating system started: what a power cut has left is there as it
     * was. False if that cannot be known.
     */
    boolean isUnrecovered() {
        ControlFile file = control;
        return (file == null || !isOfThisBoot(file)) && !boot.equals(BootId.UNKNOWN);
    }

    /** Whether pages of the log may be clean in memory and not on the device: a sync would succeed without them. */
    boolean hasWriterFailed() {
        ControlFile file = control;
        return file != null
                && file.block().state() == ControlBlock.STATE_FAILED
                && (isOfThisBoot(file) || boot.equals(BootId.UNKNOWN));
    }

    /** Where a recent record begins, or 0: the place from which the end of the log is near. */
    long hint() {
        ControlFile file = control;
        return file == null ? 0 : file.block().hint();
    }

    /** Looks again for a control block, if there was none: the log may have been opened since. */
    void refresh() throws IOException {
        if (control == null) {
            control = ControlFile.open(storage, Storage.Access.READ);
        }
    }

    /** Looks for a control block that has taken the place of the one before: a log may have begun anew. */
    void renew() throws IOException {
        ControlFile now = ControlFile.open(storage, Storage.Access.READ);
        if (now != null) {
            close();
            control = now;
        }
    }

    @Override
    public void close() {
        if (control != null) {
            control.close();
            control = null;
        }
    }
}
