package io.persist.log.control;

import io.persist.file.Opening;
import io.persist.file.Storage;
import io.persist.format.LogFileName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The hold on an empty directory in which a log is made by something else than its writer, which may take long. An
 * application that opens a log there meanwhile is refused, as by another writer: else its files would be replaced.
 *
 * <p><b>Threads:</b> one.
 */
public final class NewLogHold implements AutoCloseable {

    /** What a file system has in its root, and makes again by itself; and what this leaves if it is killed. */
    private static final Set<String> NOTHING = Set.of("lost+found", LogFileName.LOCK);

    private final Storage storage;
    private final WriterHold hold;
    private boolean isKept;

    private NewLogHold(Storage storage, WriterHold hold) {
        this.storage = storage;
        this.hold = hold;
    }

    /**
     * Takes the writer's lock of an empty directory. One that is not empty stays as it is.
     *
     * @throws io.persist.error.LogLockedException if a writer has opened a log there
     * @throws IOException if the directory is not empty
     */
    public static NewLogHold take(Storage storage) throws IOException {
        requireEmpty(storage); // before the file of the lock is made there
        try (Opening opening = new Opening()) {
            WriterHold hold = opening.add(WriterHold.take(storage, ", or name another directory"), WriterHold::close);
            requireEmpty(storage); // a writer may have come and gone since
            return opening.done(new NewLogHold(storage, hold));
        }
    }

    /** Throws if a log or anything else is in the directory. */
    public static void requireEmpty(Storage storage) throws IOException {
        List<String> there = new ArrayList<>(storage.list());
        there.removeAll(NOTHING);
        if (!there.isEmpty()) {
            boolean hasControl = there.remove(LogFileName.CONTROL); // it gets its name before the segments do
            boolean isLeft =
                    !there.isEmpty() && there.stream().allMatch(name -> name.endsWith(LogFileName.TEMPORARY_SUFFIX));
            throw new IOException("directory is not empty: " + storage.description()
                    + (isLeft
                            ? "; a run that was killed may have left " + there.get(0)
                                    + ", or one is under way: if none is, delete what ends with "
                                    + LogFileName.TEMPORARY_SUFFIX
                                    + (hasControl ? " and " + LogFileName.CONTROL : "") + ", and try again"
                            : "; name an empty one, or one to be made"));
        }
    }

    /** The log is whole: the file of the lock stays, as in every log. */
    public void keep() {
        isKept = true;
    }

    /** Gives the lock back. Its file goes first if there is no log, so that the directory is empty again. */
    @Override
    public void close() {
        try (hold) {
            if (!isKept) {
                storage.delete(LogFileName.LOCK);
            }
        } catch (IOException left) {
            // Why there is no log is the better message.
        }
    }
}
