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
            checkAt(mapped, page, Math.min(LENGTH, mapped.capacity() - page)); // the last one may begin with 8 bytes
        }
    }

    /**
     * The same of any buffer, of which nothing but the bytes from {@code from} to {@code to} is read. Of fewer than 8
     * bytes the error may still come later, since the JDK copies them one by one.
     */
    public void checkRange(ByteBuffer source, int from, int to) {
        if (!source.isDirect() || from >= to) {
            return;
        }
        int length = Math.min(LENGTH, to - from);
        checkAt(source, from, length);
        long nextPage = (long) from - source.alignmentOffset(from, PAGE_LENGTH) + PAGE_LENGTH;
        for (long page = nextPage; page < to; page += PAGE_LENGTH) {
            checkAt(source, (int) Math.min(page, to - length), length);
        }
    }

    /** Of bytes that lie in two pages the first ones or the last ones may be missing. */
    private void checkAt(ByteBuffer mapped, int index, int length) {
        first[0] = 0;
        first[length - 1] = 0;
        mapped.get(index, first, 0, length);
        second[0] = 1;
        second[length - 1] = 1;
        mapped.get(index, second, 0, length);
        if (first[0] != second[0] || first[length - 1] != second[length - 1]) {
            MissingPage.check(); // or another thread has stored there between the two
        }
    }
}
