package io.persist.index.memory;

import java.util.Arrays;

/**
 * The nodes that are being changed. An object of its own: it is written to with every change, and what readers without
 * the lock look at should not lie beside it.
 *
 * <p><b>Threads:</b> one at a time. <b>Allocation:</b> none once it has the size of the largest change.
 */
final class OpenChanges {

    private static final int FIRST_IDS = 64;

    private int[] ids = new int[FIRST_IDS];
    private int count;

    void add(int id) {
        if (count == ids.length) {
            ids = Arrays.copyOf(ids, 2 * count);
        }
        ids[count++] = id;
    }

    int count() {
        return count;
    }

    int id(int index) {
        return ids[index];
    }

    void clear() {
        count = 0;
    }
}
