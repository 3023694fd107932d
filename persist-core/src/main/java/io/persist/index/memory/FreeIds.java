package io.persist.index.memory;

import io.persist.index.node.NodeSet;
import java.util.Arrays;

/** Ids of nodes that are free and have no memory. If there is none, a new one is made. */
final class FreeIds {

    private int[] ids;
    private int size;

    /** Is above all ids that were ever there. */
    private int limit;

    /** Those below {@code limit} that are not in use. */
    FreeIds(NodeSet used, int limit) {
        this.limit = limit;
        this.ids = new int[limit - used.size()];
        for (int id = limit - 1; id >= 0; id--) {
            if (!used.contains(id)) {
                ids[size++] = id;
            }
        }
    }

    /** Makes room for so many more, so that {@link #giveBack} does not fail. */
    void ensure(int more) {
        if (size + more > ids.length) {
            ids = Arrays.copyOf(ids, size + more);
        }
    }

    void giveBack(int id) {
        if (size == ids.length) {
            ids = Arrays.copyOf(ids, Math.max(16, 2 * size));
        }
        ids[size++] = id;
    }

    int take() {
        return size > 0 ? ids[--size] : limit++;
    }

    int size() {
        return size;
    }

    int limit() {
        return limit;
    }
}
