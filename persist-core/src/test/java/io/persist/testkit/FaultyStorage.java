package io.persist.testkit;

import io.persist.file.BootId;
import io.persist.file.Mapping;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.file.WriterLock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A storage on top of another one, whose n-th call of a verb fails. What fails has not been done, but for a
 * {@linkplain #shortWrite short write}. It tells no lies about which pages are dirty after a failed sync: for that,
 * throw from the hook of a {@link CrashableStorage}.
 *
 * <p><b>Threads:</b> any.
 */
public final class FaultyStorage implements Storage {

    /** The calls that are counted and can fail. */
    public enum Verb {
        CREATE,
        OPEN,
        READ,
        WRITE,
        SYNC,
        MAP,
        FORCE,
        RENAME,
        DELETE,
        SYNC_DIRECTORY,
        LIST,
        TRY_LOCK
    }

    private enum Kind {
        FAIL,
        SHORT_WRITE,
        LIE
    }

    private record Fault(Kind kind, int first, int last) {}

    private static final Fault NONE = new Fault(Kind.FAIL, Integer.MAX_VALUE, 0);

    private final Storage storage;
    private final Map<Verb, Integer> calls = new EnumMap<>(Verb.class);
    private final Map<Verb, Fault> faults = new EnumMap<>(Verb.class);
    private String message = "Input/output error";
    private int injected;

    /** Without a fault yet. */
    public FaultyStorage(Storage storage) {
        this.storage = storage;
    }

    /** The {@code n}-th call of {@code verb} from now on fails, 1 being the next one; those after it work. */
    public FaultyStorage fail(Verb verb, int n) {
        return arm(verb, Kind.FAIL, n, n);
    }

    /** The {@code n}-th call of {@code verb} from now on fails, and all after it. */
    public FaultyStorage failFrom(Verb verb, int n) {
        return arm(verb, Kind.FAIL, n, Integer.MAX_VALUE);
    }

    /** The {@code n}-th write from now on writes half of its bytes and fails. */
    public FaultyStorage shortWrite(int n) {
        return arm(Verb.WRITE, Kind.SHORT_WRITE, n, n);
    }

    /** A device which lies: every {@code SYNC}, {@code FORCE} or {@code SYNC_DIRECTORY} returns and does nothing. */
    public FaultyStorage lie(Verb verb) {
        if (verb != Verb.SYNC && verb != Verb.FORCE && verb != Verb.SYNC_DIRECTORY) {
            throw new IllegalArgumentException("only syncs can lie, verb=" + verb);
        }
        return arm(verb, Kind.LIE, 1, Integer.MAX_VALUE);
    }

    /** The text of the exceptions from now on, such as "No space left on device". */
    public synchronized FaultyStorage message(String text) {
        this.message = text;
        return this;
    }

    /** No faults from now on. */
    public synchronized FaultyStorage heal() {
        faults.clear();
        return this;
    }

    /** How often {@code verb} was called, failures included. */
    public synchronized int calls(Verb verb) {
        return calls.getOrDefault(verb, 0);
    }

    /** How many faults (and lies) there were. */
    public synchronized int injected() {
        return injected;
    }

    private synchronized FaultyStorage arm(Verb verb, Kind kind, int first, int last) {
        int before = calls(verb);
        faults.put(verb, new Fault(kind, before + first, last == Integer.MAX_VALUE ? last : before + last));
        return this;
    }

    /** Counts a call; returns what is to be done in place of it, or null if it is to be done. */
    private synchronized @Nullable Kind count(Verb verb) throws IOException {
        int call = calls.merge(verb, 1, Integer::sum);
        Fault fault = faults.getOrDefault(verb, NONE);
        if (call < fault.first || call > fault.last) {
            return null;
        }
        injected++;
        if (fault.kind == Kind.FAIL) {
            throw failure(verb, call);
        }
        return fault.kind;
    }

    private synchronized IOException failure(Verb verb, int call) {
        return new IOException(message + " (injected: " + verb + " " + call + ")");
    }

    @Override
    public List<String> list() throws IOException {
        count(Verb.LIST);
        return storage.list();
    }

    @Override
    public StorageFile create(String name) throws IOException {
        count(Verb.CREATE);
        return new FaultyFile(storage.create(name));
    }

    @Override
    public StorageFile open(String name, Access access) throws IOException {
        count(Verb.OPEN);
        return new FaultyFile(storage.open(name, access));
    }

    @Override
    public void rename(String from, String to) throws IOException {
        count(Verb.RENAME);
        storage.rename(from, to);
    }

    @Override
    public void delete(String name) throws IOException {
        count(Verb.DELETE);
        storage.delete(name);
    }

    @Override
    public void syncDirectory() throws IOException {
        if (count(Verb.SYNC_DIRECTORY) == null) {
            storage.syncDirectory();
        }
    }

    @Override
    public long usableBytes() throws IOException {
        return storage.usableBytes();
    }

    @Override
    public @Nullable WriterLock tryLock(String name) throws IOException {
        count(Verb.TRY_LOCK);
        return storage.tryLock(name);
    }

    @Override
    public BootId bootId() {
        return storage.bootId();
    }

    @Override
    public long identity(String name) throws IOException {
        return storage.identity(name);
    }

    @Override
    public String description() {
        return "faulty " + storage.description();
    }

    private final class FaultyFile implements StorageFile {

        private final StorageFile file;

        FaultyFile(StorageFile file) {
            this.file = file;
        }

        @Override
        public long length() throws IOException {
            return file.length();
        }

        @Override
        public void write(long offset, byte[] source, int from, int length, WriteThrough through) throws IOException {
            if (count(Verb.WRITE) == Kind.SHORT_WRITE) {
                file.write(offset, source, from, length / 2, WriteThrough.NONE);
                throw failure(Verb.WRITE, calls(Verb.WRITE));
            }
            file.write(offset, source, from, length, through);
        }

        @Override
        public int read(long offset, byte[] target, int from, int length) throws IOException {
            count(Verb.READ);
            return file.read(offset, target, from, length);
        }

        @Override
        public void sync() throws IOException {
            if (count(Verb.SYNC) == null) {
                file.sync();
            }
        }

        @Override
        public void beginRangeSyncs() throws IOException {
            file.beginRangeSyncs();
        }

        @Override
        public void sync(long from, long to) throws IOException {
            if (count(Verb.SYNC) == null) {
                file.sync(from, to);
            }
        }

        @Override
        public Mapping map(int length) throws IOException {
            count(Verb.MAP);
            return new FaultyMapping(file.map(length));
        }

        @Override
        public void close() {
            file.close();
        }
    }

    private final class FaultyMapping implements Mapping {

        private final Mapping mapping;

        FaultyMapping(Mapping mapping) {
            this.mapping = mapping;
        }

        @Override
        public ByteBuffer buffer() {
            return mapping.buffer();
        }

        @Override
        public void force(int offset, int length) throws IOException {
            if (count(Verb.FORCE) == null) {
                mapping.force(offset, length);
            }
        }

        @Override
        public void close() {
            mapping.close();
        }
    }
}
