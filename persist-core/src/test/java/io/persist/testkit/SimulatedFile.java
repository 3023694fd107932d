package io.persist.testkit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A file of a {@link CrashableStorage}: what the page cache holds and what the device holds. Sectors between the two
 * lengths, or never written, are zeros.
 *
 * <p>Not thread-safe: the storage locks. Mapped stores go straight into the page cache, at any time.
 */
final class SimulatedFile {

    static final int SECTOR = 512;
    static final int PAGE = 4096;

    final int id;
    String name;
    int openMappings;

    private ByteBuffer cache = ByteBuffer.allocateDirect(0).order(ByteOrder.LITTLE_ENDIAN);
    private int length;
    private byte[] device = new byte[0];
    private int deviceLength;

    /** Pages that a failed sync has marked as clean though the device does not have them, with their content then. */
    private final Map<Integer, byte[]> falselyClean = new HashMap<>();

    /** How many syncs have failed, of whatever part. */
    private int failedSyncs;

    SimulatedFile(int id, String name) {
        this.id = id;
        this.name = name;
    }

    int length() {
        return length;
    }

    void write(int offset, byte[] source, int from, int count) {
        if (count == 0) {
            return;
        }
        int end = offset + count;
        if (end > cache.capacity()) {
            grow(end);
        }
        cache.put(offset, source, from, count);
        length = Math.max(length, end);
        for (int page = offset / PAGE; page <= (end - 1) / PAGE; page++) {
            falselyClean.remove(page);
        }
    }

    private void grow(int needed) {
        if (openMappings > 0) {
            throw new IllegalStateException("a mapped file cannot grow here, file=" + name + ", length=" + length);
        }
        int capacity = (int) Math.min(Integer.MAX_VALUE - 8L, Math.max(needed, cache.capacity() * 2L));
        ByteBuffer larger = ByteBuffer.allocateDirect(capacity).order(ByteOrder.LITTLE_ENDIAN);
        larger.put(0, cache, 0, length);
        cache = larger;
    }

    int read(int offset, byte[] target, int from, int count) {
        int readable = Math.max(0, Math.min(count, length - offset));
        if (readable > 0) {
            cache.get(offset, target, from, readable);
        }
        return readable;
    }

    ByteBuffer map(int mappedLength) {
        return cache.slice(0, mappedLength).order(ByteOrder.LITTLE_ENDIAN);
    }

    byte[] content() {
        byte[] bytes = new byte[length];
        cache.get(0, bytes);
        return bytes;
    }

    boolean hasTheContentOf(SimulatedFile other) {
        return Arrays.equals(content(), other.content());
    }

    byte[] deviceContent() {
        return Arrays.copyOf(device, deviceLength);
    }

    /** Makes the content {@code bytes} on the device and in memory, where mappings of the same length see it. */
    void replace(byte[] bytes) {
        if (bytes.length == length) {
            cache.put(0, bytes);
        } else {
            length = 0;
            cache = ByteBuffer.allocateDirect(0).order(ByteOrder.LITTLE_ENDIAN);
            write(0, bytes, 0, bytes.length);
        }
        falselyClean.clear();
        device = bytes.clone();
        deviceLength = bytes.length;
    }

    /** Flips a bit of each place that has {@code text}. */
    void damage(String text) {
        byte[] bytes = content();
        String all = new String(bytes, ISO_8859_1);
        for (int at = all.indexOf(text); at >= 0; at = all.indexOf(text, at + text.length())) {
            write(at, new byte[] {(byte) (bytes[at] ^ 1)}, 0, 1);
        }
    }

    void sync() {
        persist(0, length, PAGE);
    }

    /** Persists all units of {@code unit} bytes which the range touches, and the file's length up to there. */
    void persist(int offset, int count, int unit) {
        if (count == 0) {
            return;
        }
        int start = offset / unit * unit;
        int end = (int) Math.min(length, ((long) offset + count + unit - 1) / unit * unit);
        for (int at = start; at < end; ) {
            int stop = falselyClean.isEmpty() ? end : Math.min(end, (at / PAGE + 1) * PAGE);
            if (!isFalselyClean(at / PAGE)) {
                copyToDevice(at, stop);
            }
            at = stop;
        }
        setDeviceLength(Math.max(deviceLength, end));
    }

    private boolean isFalselyClean(int page) {
        byte[] then = falselyClean.get(page);
        if (then == null) {
            return false;
        }
        if (Arrays.equals(then, page(page))) {
            return true;
        }
        falselyClean.remove(page);
        return false;
    }

    /** A sync of the range failed: its dirty pages are never written again unless they are made dirty once more. */
    void syncFailed(int offset, int count) {
        failedSyncs++;
        int end = (int) Math.min(length, (long) offset + count);
        for (int page = offset / PAGE; page * PAGE < end; page++) {
            byte[] now = page(page);
            if (!Arrays.equals(now, devicePage(page, now.length))) {
                falselyClean.put(page, now);
            }
        }
    }

    int failedSyncs() {
        return failedSyncs;
    }

    private byte[] page(int page) {
        byte[] bytes = new byte[Math.min(PAGE, length - page * PAGE)];
        cache.get(page * PAGE, bytes);
        return bytes;
    }

    private byte[] devicePage(int page, int count) {
        byte[] bytes = new byte[count];
        int known = Math.min(count, deviceLength - page * PAGE);
        if (known > 0) {
            System.arraycopy(device, page * PAGE, bytes, 0, known);
        }
        return bytes;
    }

    /** The dirty sectors' offsets, without those that a failed sync has given up. */
    List<Integer> dirtySectors() {
        List<Integer> dirty = new ArrayList<>();
        byte[] now = content();
        byte[] then = Arrays.copyOf(deviceContent(), now.length);
        for (int at = 0; at < now.length; at += SECTOR) {
            int end = Math.min(at + SECTOR, now.length);
            boolean differs = end > deviceLength || !Arrays.equals(now, at, end, then, at, end);
            if (differs && !isFalselyClean(at / PAGE)) {
                dirty.add(at);
            }
        }
        return dirty;
    }

    void writeBackSector(int offset) {
        int end = Math.min(offset + SECTOR, length);
        copyToDevice(offset, end);
        setDeviceLength(Math.max(deviceLength, end));
    }

    /** Of the sector, only a part that begins or ends at a multiple of 8 reaches the device. */
    void tearSector(int offset, Random random) {
        int end = Math.min(offset + SECTOR, length);
        int cut = Math.min(end, offset + 8 * (1 + random.nextInt(SECTOR / 8 - 1)));
        if (random.nextBoolean()) {
            copyToDevice(offset, cut);
        } else {
            copyToDevice(cut, end);
        }
        setDeviceLength(Math.max(deviceLength, end));
    }

    /** All that is dirty reaches the device; what a failed sync has given up does not. */
    void writeBackAll() {
        dirtySectors().forEach(this::writeBackSector);
        setDeviceLength(Math.max(deviceLength, length));
    }

    void writeBackRandomly(Random random) {
        List<Integer> dirty = dirtySectors();
        loseLength(random);
        double kept = random.nextDouble();
        double torn = random.nextInt(3) * 0.1;
        for (int sector : dirty) {
            if (sector >= deviceLength) {
                break;
            }
            double draw = random.nextDouble();
            int reached = deviceLength;
            if (draw < torn) {
                tearSector(sector, random);
            } else if (draw < torn + kept) {
                writeBackSector(sector);
            }
            deviceLength = reached;
        }
    }

    /** The length reaches the device, not at all, wholly or in part. */
    private void loseLength(Random random) {
        int grown = length - deviceLength;
        if (grown > 0) {
            switch (random.nextInt(3)) {
                case 0 -> {}
                case 1 -> setDeviceLength(length);
                default -> setDeviceLength(deviceLength + random.nextInt(grown));
            }
        }
    }

    private void copyToDevice(int from, int to) {
        if (to > from) {
            ensureDevice(to);
            cache.get(from, device, from, to - from);
        }
    }

    private void setDeviceLength(int newLength) {
        ensureDevice(newLength);
        deviceLength = newLength;
    }

    private void ensureDevice(int capacity) {
        if (capacity > device.length) {
            device = Arrays.copyOf(device, Math.max(capacity, cache.capacity()));
        }
    }

    /** A copy that shares nothing. */
    SimulatedFile copy() {
        SimulatedFile copy = new SimulatedFile(id, name);
        byte[] content = content();
        copy.write(0, content, 0, content.length);
        copy.device = device.clone();
        copy.deviceLength = deviceLength;
        copy.falselyClean.putAll(falselyClean);
        return copy;
    }

    /** Forgets what is in memory only. */
    void reboot() {
        replace(deviceContent());
    }
}
