package io.persist.file;

import java.util.Iterator;
import java.util.function.Consumer;

/**
 * The end of several things of one kind: whatever closing one of them throws, the others are closed too. It allocates
 * no list, since it may be the want of memory that has ended a log.
 */
public final class Closing {

    private Closing() {}

    /** Has {@code close} close each of {@code things}; throws what one of them has thrown. */
    public static <T> void each(Iterable<? extends T> things, Consumer<? super T> close) {
        each(things.iterator(), close);
    }

    private static <T> void each(Iterator<? extends T> left, Consumer<? super T> close) {
        while (left.hasNext()) {
            boolean isClosed = false;
            try {
                close.accept(left.next());
                isClosed = true;
            } finally {
                if (!isClosed) {
                    each(left, close);
                }
            }
        }
    }
}
