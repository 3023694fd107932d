package io.persist.file.disk;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Reads a file into direct memory, which only a channel can. A channel closes itself when the thread that uses it is
 * interrupted. If that happens, or it could not be opened, this refuses from then on, and the file is read in another
 * way.
 *
 * <p><b>Threads:</b> one at a time. <b>Allocation:</b> none per read.
 */
final class ChannelReads {

    /** In place of a number of bytes: this cannot read the file any more. */
    static final int REFUSED = -1;

    private @Nullable FileChannel channel;

    /** The memory that was read into last, and a view of it with a position of its own. */
    private ByteBuffer memory = ByteBuffer.allocate(0);

    private ByteBuffer view = memory;

    ChannelReads(File path) {
        this.channel = open(path);
    }

    private static @Nullable FileChannel open(File path) {
        try {
            return Interrupts.shield(
                    () -> FileChannel.open(path.toPath(), StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
        } catch (IOException refused) {
            return null;
        }
    }

    /** As {@code StorageFile.read} has it. An interrupt is kept for later. */
    @SuppressWarnings("ReferenceEquality") // the view is one of this very buffer
    int read(long offset, ByteBuffer target, int from, int length) throws IOException {
        FileChannel open = channel;
        if (open == null) {
            return REFUSED;
        }
        if (memory != target) {
            memory = target;
            view = target.duplicate();
        }
        boolean interrupted = Thread.interrupted(); // else the channel would close itself
        try {
            return Math.max(0, open.read(view.limit(from + length).position(from), offset));
        } catch (ClosedChannelException interruptedNow) {
            interrupted |= Thread.interrupted();
            channel = null;
            return REFUSED;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    void close() {
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException ignored) {
                // Nothing of the log depends on it.
            }
        }
    }
}
