package io.persist.bench.rows.promise;

/**
 * The pages that SQLite writes into its WAL for the rows of a table, and when their number has it make a checkpoint,
 * which syncs. A commit writes each leaf of the table whole that it has added a row to, however short the row is. One
 * that begins a leaf also writes the leaf's parent, and the first page of the file, which has the length of the file.
 *
 * <p><b>Threads:</b> one.
 */
public final class WalPages {

    /** Of a page of 4 KiB, without its header. */
    private static final long LEAF_BYTES = 4088;

    /** Number, lengths, and the place in the leaf. */
    private static final long ROW_OVERHEAD = 10;

    /** Of one row. */
    private static final long MOST_IN_A_LEAF = 4061;

    /** Of one that is too long for it, at least. */
    private static final long LEAST_IN_A_LEAF = 489;

    /** Of such a row in each page that it has besides. */
    private static final long OVERFLOW_BYTES = 4092;

    /** The parent, and the first page of the file. */
    private static final int PAGES_OF_A_NEW_LEAF = 2;

    private final long pagesOfACheckpoint;
    private long pages;
    private long freeBytes = LEAF_BYTES;
    private boolean isLeafWritten;
    private boolean isLeafNew;

    /** @param pagesOfACheckpoint after which a commit makes a checkpoint; 0 for never */
    public WalPages(long pagesOfACheckpoint) {
        this.pagesOfACheckpoint = pagesOfACheckpoint;
    }

    /** A row is added, behind all others. */
    public void add(int textBytes) {
        long bytes = textBytes + ROW_OVERHEAD;
        if (bytes > MOST_IN_A_LEAF) { // it goes on in pages of its own
            long inLeaf = LEAST_IN_A_LEAF + (bytes - LEAST_IN_A_LEAF) % OVERFLOW_BYTES;
            inLeaf = inLeaf > MOST_IN_A_LEAF ? LEAST_IN_A_LEAF : inLeaf;
            pages += (bytes - inLeaf + OVERFLOW_BYTES - 1) / OVERFLOW_BYTES;
            bytes = inLeaf;
        }
        if (bytes > freeBytes) {
            freeBytes = LEAF_BYTES;
            isLeafNew = true;
            isLeafWritten = false;
        }
        freeBytes -= bytes;
        if (!isLeafWritten) {
            pages++;
            isLeafWritten = true;
        }
    }

    /** The rows are committed. Returns whether that makes a checkpoint, behind which the WAL begins anew. */
    public boolean commit() {
        if (isLeafNew) {
            pages += PAGES_OF_A_NEW_LEAF;
        }
        isLeafWritten = false;
        isLeafNew = false;
        boolean isCheckpoint = pagesOfACheckpoint > 0 && pages >= pagesOfACheckpoint;
        if (isCheckpoint) {
            pages = 0;
        }
        return isCheckpoint;
    }

    /** Those of the WAL by now. */
    public long pages() {
        return pages;
    }
}
