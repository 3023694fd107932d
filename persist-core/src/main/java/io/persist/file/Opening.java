package io.persist.file;

import java.util.ArrayDeque;
import java.util.function.Consumer;

/**
 * What was opened on the way to something that needs all of it: it is closed again, the last first, unless the whole
 * has come about.
 *
 * <pre>
 *   try (Opening opening = new Opening()) {
 *       StorageFile file = opening.add(storage.open(name, Access.READ), StorageFile::close);
 *       …
 *       return opening.done(new Reader(file, header));
 *   }
 * </pre>
 *
 * <p><b>Threads:</b> one. <b>Errors:</b> whatever closing throws, the rest is closed too; what has ended the opening is
 * thrown.
 */
public final class Opening implements AutoCloseable {

    private final ArrayDeque<Runnable> opened = new ArrayDeque<>();

    /** Begins one, of which nothing is open yet. */
    public Opening() {}

    /** Takes {@code one}, which was just opened, and returns it. */
    public <T> T add(T one, Consumer<? super T> close) {
        boolean isTaken = false;
        try {
            opened.push(() -> close.accept(one));
            isTaken = true;
            return one;
        } finally {
            if (!isTaken) {
                close.accept(one); // there is no memory to note it
            }
        }
    }

    /** {@code whole} has come about, and closes from now on what was opened for it; returns it. */
    public <T> T done(T whole) {
        opened.clear();
        return whole;
    }

    /** Closes what was opened, unless it is {@link #done}. */
    @Override
    public void close() {
        while (!opened.isEmpty()) {
            Runnable last = opened.pop();
            try {
                last.run();
            } finally {
                close();
            }
        }
    }
}
