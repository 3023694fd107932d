package io.persist.support;

import io.persist.file.BootId;
import io.persist.file.Mapping;
import io.persist.file.Storage;
import io.persist.file.StorageFile;
import io.persist.file.WriterLock;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A directory in memory which forgets at a power cut what was not synced.
 *
 * <ul>
 *   <li>A file is its page cache, which writes, reads and mappings share, and what the device has. {@code sync} makes
 *       all of a file durable, {@code force} the pages of 4096 bytes of its range, a write-through the sectors of 512
 *       bytes it touches. A file cannot grow while it is mapped.
 *   <li>Creations, renames and deletions are durable after {@code syncDirectory}. Of those that are not, a power cut
 *       keeps a random prefix, as the journal of a file system does.
 *   <li>Between syncs nothing reaches the device but by {@link #writeBack}.
 *   <li>Each operation that changes something, or maps a file, is counted and announced to the hook, without the
 *       storage's lock. An {@link IOException} which the hook throws makes the operation fail; a sync, force or
 *       write-through that fails marks its dirty pages as clean as Linux does: later syncs succeed without writing
 *       them, until they are changed or written again (by a write even with the same bytes).
 *   <li>A {@link PowerCut} which the hook throws switches the storage off: every operation but close throws it again.
 * </ul>
 *
 * <p><b>Threads:</b> any.
 */
public final class CrashableStorage implements Storage {

    /** What a power cut does to data that is not durable. */
    public enum Loss {
        /** Everything had just been written back. */
        ALL_KEPT,
        /** Nothing had been written back. */
        ALL_LOST,
        /** Each dirty sector is old, new or torn at a multiple of 8 bytes; a length may have grown without its data. */
        RANDOM,
        /**
         * Data was written back in the order of the files' creation and of the addresses in each; the last sector that
         * got through is torn.
         */
        ORDERED_PREFIX
    }

    /** Looks at each counted operation before it is done. */
    @FunctionalInterface
    public interface Hook {
        /**
         * @param number 1 for the storage's first operation
         * @param what the verb, a space, and the file's name, such as {@code "write control"}; "syncDirectory" alone
         */
        void beforeOperation(int number, String what) throws IOException;
    }

    private record DirectoryOperation(String from, String to, SimulatedFile file) {

        void applyTo(Map<String, SimulatedFile> names) {
            if (from != null) {
                names.remove(from);
            }
            if (to != null) {
                names.put(to, file);
            }
        }
    }

    private static final long DEFAULT_CAPACITY = 1L << 40;

    private final Map<String, SimulatedFile> names = new TreeMap<>();
    private final Map<String, SimulatedFile> durableNames = new TreeMap<>();
    private final List<DirectoryOperation> unsynced = new ArrayList<>();
    private final Set<String> locks = new HashSet<>();
    private final AtomicInteger operations = new AtomicInteger();
    private int nextId;
    private int openHandles;
    private long boots = 1;
    private long capacityBytes = DEFAULT_CAPACITY;
    private PowerCut off;
    private volatile Hook hook = (number, what) -> {};

    /** Calls {@code hook} before each operation from now on; returns this. */
    public CrashableStorage hook(Hook hook) {
        this.hook = hook;
        return this;
    }

    /** Cuts the power in the middle of the counted operation {@code number}: of a write any part may survive. */
    public CrashableStorage cutPowerAt(int number) {
        return hook((n, what) -> {
            if (n >= number) {
                throw new PowerCut("power cut before operation " + n + ": " + what);
            }
        });
    }

    /** How many counted operations there were. */
    public int operations() {
        return operations.get();
    }

    /** The sum of all files' lengths cannot exceed this. */
    public synchronized CrashableStorage capacityBytes(long bytes) {
        this.capacityBytes = bytes;
        return this;
    }

    /** How many files, mappings and locks are not closed. */
    public synchronized int openHandles() {
        return openHandles;
    }

    // ---- power cuts, kills, damage

    /** Switches the storage off, for threads which still use it too. */
    public synchronized void powerOff(PowerCut cut) {
        if (off == null) {
            off = cut;
        }
    }

    public synchronized boolean isOff() {
        return off != null;
    }

    /** Switches this storage off and returns what a power cut leaves of it, all of it durable. The hook is not kept. */
    public synchronized CrashableStorage crash(Random random, Loss loss) {
        powerOff(new PowerCut("crashed"));
        CrashableStorage after = copy();
        after.boots++;
        after.powerCut(random, loss);
        return after;
    }

    /**
     * Switches this storage off and returns what the death of the process leaves: all that was written, and nothing
     * more of it durable than was before. Locks are free. The hook is not kept.
     */
    public synchronized CrashableStorage afterKill() {
        powerOff(new PowerCut("killed"));
        return copy();
    }

    private CrashableStorage copy() {
        CrashableStorage copy = new CrashableStorage();
        Map<SimulatedFile, SimulatedFile> copies = new HashMap<>();
        names.forEach((name, file) -> copy.names.put(name, copies.computeIfAbsent(file, SimulatedFile::copy)));
        durableNames.forEach(
                (name, file) -> copy.durableNames.put(name, copies.computeIfAbsent(file, SimulatedFile::copy)));
        for (DirectoryOperation operation : unsynced) {
            SimulatedFile file =
                    operation.file == null ? null : copies.computeIfAbsent(operation.file, SimulatedFile::copy);
            copy.unsynced.add(new DirectoryOperation(operation.from, operation.to, file));
        }
        copy.nextId = nextId;
        copy.boots = boots;
        copy.capacityBytes = capacityBytes;
        return copy;
    }

    private void powerCut(Random random, Loss loss) {
        int kept = switch (loss) {
            case ALL_KEPT -> unsynced.size();
            case ALL_LOST -> 0;
            case RANDOM, ORDERED_PREFIX -> random.nextInt(unsynced.size() + 1);
        };
        unsynced.subList(0, kept).forEach(operation -> operation.applyTo(durableNames));
        unsynced.clear();
        names.clear();
        names.putAll(durableNames);
        names.forEach((name, file) -> file.name = name);
        List<SimulatedFile> files = new ArrayList<>(new HashSet<>(names.values()));
        files.sort((a, b) -> Integer.compare(a.id, b.id));
        switch (loss) {
            case ALL_KEPT -> files.forEach(SimulatedFile::writeBackAll);
            case ALL_LOST -> {}
            case RANDOM -> files.forEach(file -> file.writeBackRandomly(random));
            case ORDERED_PREFIX -> writeBackPrefix(files, random);
        }
        files.forEach(SimulatedFile::reboot);
    }

    private static void writeBackPrefix(List<SimulatedFile> files, Random random) {
        int dirty = files.stream().mapToInt(file -> file.dirtySectors().size()).sum();
        int kept = random.nextInt(dirty + 1);
        for (SimulatedFile file : files) {
            for (int sector : file.dirtySectors()) {
                kept--;
                if (kept < 0) {
                    return;
                }
                if (kept == 0 && random.nextBoolean()) {
                    file.tearSector(sector, random);
                } else {
                    file.writeBackSector(sector);
                }
            }
        }
    }

    /** What the kernel may do at any moment: writes some dirty sectors of some files to the device. */
    public synchronized void writeBack(Random random) {
        for (SimulatedFile file : names.values()) {
            if (random.nextBoolean()) {
                double share = random.nextDouble();
                file.dirtySectors().stream()
                        .filter(sector -> random.nextDouble() < share)
                        .forEach(file::writeBackSector);
            }
        }
    }

    /** What a reader of the file would see now. */
    public synchronized byte[] content(String name) {
        return existing(name).content();
    }

    /** What of the file is on the device, if it will have this name after a power cut, else null. */
    public synchronized byte[] durableContent(String name) {
        SimulatedFile file = durableNames.get(name);
        return file == null ? null : file.deviceContent();
    }

    /** Makes {@code bytes} the durable content of a file, in place of what it had; not counted. */
    public synchronized void replace(String name, byte[] bytes) {
        SimulatedFile file = names.get(name);
        if (file == null) {
            file = new SimulatedFile(nextId++, name);
            names.put(name, file);
            durableNames.put(name, file);
        }
        file.replace(bytes);
    }

    private SimulatedFile existing(String name) {
        SimulatedFile file = names.get(name);
        if (file == null) {
            throw new IllegalArgumentException("no such file, name=" + name + ", files=" + names.keySet());
        }
        return file;
    }

    // ---- Storage

    private void announce(String what) throws IOException {
        announce(what, () -> {});
    }

    /** If the power is cut now, the operation is {@code underWay}: what it has done so far may be on the device. */
    private void announce(String what, Runnable underWay) throws IOException {
        checkPower();
        try {
            hook.beforeOperation(operations.incrementAndGet(), what);
        } catch (PowerCut cut) {
            synchronized (this) {
                if (off == null) {
                    underWay.run();
                }
            }
            powerOff(cut);
        }
        checkPower();
    }

    private synchronized void checkPower() {
        if (off != null) {
            PowerCut again = new PowerCut(off.getMessage());
            again.initCause(off);
            throw again;
        }
    }

    @Override
    public synchronized List<String> list() {
        checkPower();
        return List.copyOf(names.keySet());
    }

    @Override
    public StorageFile create(String name) throws IOException {
        announce("create " + name);
        synchronized (this) {
            checkPower();
            if (names.containsKey(name)) {
                throw new IOException("file exists already: " + name);
            }
            return new OpenFile(newFile(name), Access.WRITE);
        }
    }

    private SimulatedFile newFile(String name) {
        SimulatedFile file = new SimulatedFile(nextId++, name);
        change(new DirectoryOperation(null, name, file));
        return file;
    }

    private void change(DirectoryOperation operation) {
        operation.applyTo(names);
        unsynced.add(operation);
    }

    @Override
    public synchronized StorageFile open(String name, Access access) throws IOException {
        checkPower();
        SimulatedFile file = names.get(name);
        if (file == null) {
            throw new FileNotFoundException("no such file: " + name);
        }
        return new OpenFile(file, access);
    }

    @Override
    public void rename(String from, String to) throws IOException {
        announce("rename " + from);
        synchronized (this) {
            checkPower();
            SimulatedFile file = names.get(from);
            if (file == null) {
                throw new NoSuchFileException(from);
            }
            change(new DirectoryOperation(from, to, file));
            file.name = to;
        }
    }

    @Override
    public void delete(String name) throws IOException {
        announce("delete " + name);
        synchronized (this) {
            checkPower();
            if (!names.containsKey(name)) {
                throw new NoSuchFileException(name);
            }
            change(new DirectoryOperation(name, null, null));
        }
    }

    @Override
    public void syncDirectory() throws IOException {
        announce("syncDirectory");
        synchronized (this) {
            checkPower();
            unsynced.clear();
            durableNames.clear();
            durableNames.putAll(names);
        }
    }

    @Override
    public synchronized long usableBytes() {
        checkPower();
        return Math.max(0, capacityBytes - usedBytes());
    }

    private long usedBytes() {
        return names.values().stream().mapToLong(SimulatedFile::length).sum();
    }

    @Override
    public WriterLock tryLock(String name) throws IOException {
        announce("tryLock " + name);
        synchronized (this) {
            checkPower();
            if (!locks.add(name)) {
                return null;
            }
            if (!names.containsKey(name)) {
                newFile(name);
            }
            openHandles++;
            return new Lock(name);
        }
    }

    /** Another one after each power cut. */
    @Override
    public synchronized BootId bootId() {
        return new BootId(0x5EED, boots);
    }

    @Override
    public String description() {
        return "memory";
    }

    private final class Lock implements WriterLock {

        private final String name;
        private boolean closed;

        Lock(String name) {
            this.name = name;
        }

        @Override
        public void close() {
            synchronized (CrashableStorage.this) {
                if (!closed) {
                    closed = true;
                    openHandles--;
                    locks.remove(name);
                }
            }
        }
    }

    private final class OpenFile implements StorageFile {

        private final SimulatedFile file;
        private final Access access;
        private boolean closed;

        OpenFile(SimulatedFile file, Access access) {
            this.file = file;
            this.access = access;
            openHandles++;
        }

        private void check() throws IOException {
            checkPower();
            if (closed) {
                throw new IOException("Stream Closed");
            }
        }

        @Override
        public long length() throws IOException {
            synchronized (CrashableStorage.this) {
                check();
                return file.length();
            }
        }

        @Override
        public void write(long offset, byte[] source, int from, int length, WriteThrough through) throws IOException {
            int at = Math.toIntExact(offset);
            boolean synced = through != WriteThrough.NONE;
            try {
                announce("write " + file.name, () -> writeUnderWay(at, source, from, length));
            } catch (IOException failure) {
                failSync(synced, at, length);
                throw failure;
            }
            synchronized (CrashableStorage.this) {
                check();
                if (access == Access.READ) {
                    throw new IOException("Bad file descriptor");
                }
                int growth = Math.max(0, at + length - file.length());
                int missing = (int) Math.min(growth, Math.max(0, usedBytes() + growth - capacityBytes));
                int fitting = Math.max(0, length - missing);
                file.write(at, source, from, fitting);
                if (missing > 0) {
                    throw new IOException("No space left on device");
                }
                if (synced) {
                    file.persist(at, length, SimulatedFile.SECTOR);
                }
            }
        }

        /** In memory, from where a crash takes what it likes to the device. */
        private void writeUnderWay(int at, byte[] source, int from, int length) {
            boolean fits = at + length <= file.length() || usedBytes() + length <= capacityBytes;
            if (!closed && access == Access.WRITE && fits) {
                file.write(at, source, from, length);
            }
        }

        private void failSync(boolean synced, int offset, int length) {
            if (synced) {
                synchronized (CrashableStorage.this) {
                    file.syncFailed(offset, length);
                }
            }
        }

        @Override
        public int read(long offset, byte[] target, int from, int length) throws IOException {
            synchronized (CrashableStorage.this) {
                check();
                return file.read(Math.toIntExact(offset), target, from, length);
            }
        }

        @Override
        public void sync() throws IOException {
            try {
                announce("sync " + file.name);
            } catch (IOException failure) {
                failSync(true, 0, file.length());
                throw failure;
            }
            synchronized (CrashableStorage.this) {
                check();
                file.sync();
            }
        }

        @Override
        public Mapping map(int length) throws IOException {
            announce("map " + file.name);
            synchronized (CrashableStorage.this) {
                check();
                if (length > file.length()) {
                    throw new IOException("file is shorter than what is to be mapped: length=" + file.length()
                            + ", needed=" + length + ", file=" + file.name);
                }
                return new OpenMapping(file, length, access);
            }
        }

        @Override
        public void close() {
            synchronized (CrashableStorage.this) {
                if (!closed) {
                    closed = true;
                    openHandles--;
                }
            }
        }
    }

    private final class OpenMapping implements Mapping {

        private final SimulatedFile file;
        private final ByteBuffer buffer;
        private boolean closed;

        OpenMapping(SimulatedFile file, int length, Access access) {
            this.file = file;
            ByteBuffer whole = file.map(length);
            this.buffer =
                    access == Access.WRITE ? whole : whole.asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
            file.openMappings++;
            openHandles++;
        }

        @Override
        public ByteBuffer buffer() {
            return buffer;
        }

        @Override
        public void force(int offset, int length) throws IOException {
            try {
                announce("force " + file.name);
            } catch (IOException failure) {
                synchronized (CrashableStorage.this) {
                    file.syncFailed(offset, length);
                }
                throw failure;
            }
            synchronized (CrashableStorage.this) {
                checkPower();
                if (closed) {
                    throw new IllegalStateException("force of a closed mapping, file=" + file.name);
                }
                Objects.checkFromIndexSize(offset, length, buffer.capacity());
                file.persist(offset, length, SimulatedFile.PAGE);
            }
        }

        @Override
        public void close() {
            synchronized (CrashableStorage.this) {
                if (!closed) {
                    closed = true;
                    file.openMappings--;
                    openHandles--;
                }
            }
        }
    }
}
