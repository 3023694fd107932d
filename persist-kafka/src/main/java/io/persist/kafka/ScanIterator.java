package io.persist.kafka;

import io.persist.store.read.StoreScan;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.jspecify.annotations.Nullable;

/**
 * A scan as Kafka's iterator: the keys of a range as they were when it was opened, whatever is written meanwhile.
 *
 * <p><b>Threads:</b> one reads; another one may close it, as the store does when it is closed.
 */
final class ScanIterator implements KeyValueIterator<Bytes, byte[]> {

    private final StoreScan scan;
    private final StoreErrors errors;
    private final Consumer<ScanIterator> onClose;

    /** What comes next, if the scan is on it; else {@link #next} has to go on. */
    private @Nullable Bytes nextKey;

    /** What has ended the scan before its end, which is said again each time. */
    private @Nullable RuntimeException failure;

    private boolean ended;
    private boolean closed;

    ScanIterator(StoreScan scan, StoreErrors errors, Consumer<ScanIterator> onClose) {
        this.scan = scan;
        this.errors = errors;
        this.onClose = onClose;
    }

    @Override
    public synchronized boolean hasNext() {
        checkOpen();
        if (nextKey == null && !ended) {
            step();
        }
        return nextKey != null;
    }

    private void step() {
        if (failure != null) {
            throw errors.reading(failure);
        }
        try {
            ended = !scan.next();
            nextKey = ended ? null : UserKeys.toKafka(scan.keyBytes());
        } catch (RuntimeException e) {
            failure = e;
            throw errors.reading(e);
        }
    }

    @Override
    public synchronized Bytes peekNextKey() {
        Bytes key = hasNext() ? nextKey : null;
        if (key == null) {
            throw new NoSuchElementException();
        }
        return key;
    }

    @Override
    public synchronized KeyValue<Bytes, byte[]> next() {
        Bytes key = peekNextKey();
        try {
            byte[] value = scan.valueBytes();
            nextKey = null;
            return KeyValue.pair(key, value);
        } catch (RuntimeException e) {
            throw errors.reading(e);
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            scan.close();
        }
        onClose.accept(this); // without the lock: the store that closes its iterators has its own
    }

    private void checkOpen() {
        if (closed) {
            throw new InvalidStateStoreException("the iterator is closed");
        }
    }
}
