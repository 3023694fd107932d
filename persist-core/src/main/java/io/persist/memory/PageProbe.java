package io.persist.memory;

import java.nio.ByteBuffer;

/**
 * Checks that the pages of a mapping are still there: what was stored into a missing page is lost, and a force of it
 * reports no error.
 *
 * <p>Bytes of each page are copied twice, over other bytes each time. The JVM breaks off a copy that meets a missing
 * page, and leaves the old bytes in the target: so the two results differ. Only then the JVM is asked for its error,
 * which allocates.
 *
 * <p><b>Threads:</b> one at a time. <b>Allocation:</b> none but in the constructor, and of errors.
 */
public final class PageProbe {

    private static final int PAGE_LENGTH = 4096;

    /** So many bytes that the JDK copies them at once, and not one by one. */
    private static final int LENGTH = 16;

    private final byte[] first = new byte[LENGTH];
    private final byte[] second = new byte[LENGTH];

    /**
     * Looks at the pages in which the bytes of {@code mapped} from {@code from} to {@code to} lie.
     *
     * @throws InternalError if one of them is missing, because the file was cut or the device cannot read it
     */
    public void check(ByteBuffer mapped, int from, int to) {
        for (int page = from & -PAGE_LENGTH; page < to; page += PAGE_LENGTH) {
            first[0] = 0;
            mapped.get(page, first, 0, LENGTH);
            second[0] = 1;
            mapped.get(page, second, 0, LENGTH);
            if (first[0] != second[0]) {
                MissingPage.check(); // or another thread has stored there between the two
            }
        }
    }
}
