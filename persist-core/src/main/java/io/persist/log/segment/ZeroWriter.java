package io.persist.log.segment;

import io.persist.file.StorageFile;
import io.persist.file.StorageFile.WriteThrough;
import io.persist.log.LogConfig;
import io.persist.log.WriteMode;
import java.io.IOException;

/**
 * Writes zeros, so that the file has blocks under them: a full disk is an exception here and never a fault in a store.
 *
 * <p>It writes pieces of a certain length, because file systems with large folios keep what is written at once in one
 * folio. The larger the pieces, the cheaper the zeros and the first store to each page. But a force of a mapping writes
 * the whole folio that a store made dirty, so that small synced commits want pieces of a page.
 *
 * <p><b>Threads:</b> any. <b>Allocation:</b> none.
 */
public final class ZeroWriter {

    /** The shortest piece: a page, and a folio of its own. */
    static final int PAGE_LENGTH = 4 << 10;

    /** The longest piece. Longer ones were no faster. */
    public static final int LONG_PIECE_LENGTH = 64 << 10;

    private static final byte[] ZEROS = new byte[LONG_PIECE_LENGTH];

    private ZeroWriter() {}

    /** The length of the pieces where commits are synced. */
    public static int shortPieceLength(LogConfig config) {
        return config.writeMode() == WriteMode.MAPPED ? PAGE_LENGTH : LONG_PIECE_LENGTH;
    }

    /** Writes zeros to {@code [from, to)}; the pieces end at multiples of {@code pieceLength}. */
    public static void write(StorageFile file, int from, int to, int pieceLength) throws IOException {
        int offset = from;
        while (offset < to) {
            int end = Math.min(to, (offset / pieceLength + 1) * pieceLength);
            file.write(offset, ZEROS, 0, end - offset, WriteThrough.NONE);
            offset = end;
        }
    }
}
