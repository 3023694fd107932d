package io.persist.memcached.server;

import io.persist.memcached.cache.FlushMark;
import io.persist.memcached.cache.HeapItems;
import io.persist.memcached.cache.Items;
import io.persist.memcached.item.Item;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Items on the heap whose changes are safe when the test says so. */
final class LateItems implements Items {

    private final HeapItems items = new HeapItems(64 << 20);
    private final List<CompletableFuture<Long>> waiting = new ArrayList<>();
    private final List<Long> positions = new ArrayList<>();
    private long end;
    private long safe;
    private int getsLeft = Integer.MAX_VALUE;
    private @Nullable RuntimeException nextOfIsSafe;
    private @Nullable RuntimeException nextOfWhenSafe;
    private @Nullable Error nextOfWalk;
    private @Nullable Error nextOfPut;
    private @Nullable Error nextOfGet;

    /** All changes up to now are safe. */
    void makeSafe() {
        makeSafe(end);
    }

    void makeSafe(long position) {
        safe = position;
        for (int i = 0; i < waiting.size(); i++) {
            if (positions.get(i) <= position) {
                waiting.get(i).complete(position);
            }
        }
    }

    void fail(Throwable failure) {
        waiting.forEach(future -> future.completeExceptionally(failure));
    }

    /** From now on a get fails as no items may fail. */
    void breakGets() {
        breakGetsAfter(0);
    }

    /** The same once so many more have not. */
    void breakGetsAfter(int gets) {
        getsLeft = gets;
    }

    /** The next {@link #isSafe} throws this. */
    void failIsSafe(RuntimeException failure) {
        nextOfIsSafe = failure;
    }

    /** The next {@link #whenSafe} throws this. */
    void failWhenSafe(RuntimeException failure) {
        nextOfWhenSafe = failure;
    }

    /** The next {@link #walk} throws this. */
    void failWalk(Error failure) {
        nextOfWalk = failure;
    }

    /** The next {@link #put} throws this. */
    void failPut(Error failure) {
        nextOfPut = failure;
    }

    /** The next {@link #get} throws this. */
    void failGet(Error failure) {
        nextOfGet = failure;
    }

    int waits() {
        return waiting.size();
    }

    long end() {
        return end;
    }

    @Override
    public Item get(byte[] key) {
        if (getsLeft-- <= 0) {
            throw new UnsupportedOperationException("as no items may fail");
        }
        Error failure = nextOfGet;
        nextOfGet = null;
        if (failure != null) {
            throw failure;
        }
        return items.get(key);
    }

    @Override
    public void put(byte[] key, Item item) {
        Error failure = nextOfPut;
        nextOfPut = null;
        if (failure != null) {
            throw failure;
        }
        items.put(key, item);
        end++;
    }

    @Override
    public void remove(byte[] key) {
        if (items.get(key) != null) {
            items.remove(key);
            end++;
        }
    }

    @Override
    public int removeRun(byte[] first, byte[] last, Predicate<Item> isDead) {
        return 0;
    }

    @Override
    public void removeAll() {
        items.removeAll();
    }

    @Override
    public long position() {
        return end;
    }

    @Override
    public FlushMark flushMark() {
        return items.flushMark();
    }

    @Override
    public void putFlushMark(FlushMark mark) {
        items.putFlushMark(mark);
        end++;
    }

    @Override
    public long firstCas() {
        return 0;
    }

    @Override
    public void reserveCas(long last) {}

    @Override
    public boolean isSafe(long position) {
        RuntimeException failure = nextOfIsSafe;
        nextOfIsSafe = null;
        if (failure != null) {
            throw failure;
        }
        return position <= safe;
    }

    @Override
    public CompletableFuture<?> whenSafe(long position) {
        RuntimeException failure = nextOfWhenSafe;
        nextOfWhenSafe = null;
        if (failure != null) {
            throw failure;
        }
        CompletableFuture<Long> future = new CompletableFuture<>();
        waiting.add(future);
        positions.add(position);
        return future;
    }

    @Override
    public boolean hasFailed() {
        return false;
    }

    @Override
    public long count() {
        return items.count();
    }

    @Override
    public long bytes() {
        return items.bytes();
    }

    @Override
    public Walk walk() {
        Error failure = nextOfWalk;
        nextOfWalk = null;
        if (failure != null) {
            throw failure;
        }
        return items.walk();
    }

    @Override
    public void close() {}
}
