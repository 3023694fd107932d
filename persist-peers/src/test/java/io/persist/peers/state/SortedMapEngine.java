package io.persist.peers.state;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** A sorted map in memory, against which the engines are held. It shows only what is committed, as they do. */
public class SortedMapEngine implements StateEngine {

    /** A put, or a delete if the value is null. */
    private record Change(byte[] key, byte[] value) {}

    private final NavigableMap<byte[], byte[]> map = new TreeMap<>(Arrays::compareUnsigned);
    private final List<Change> changes = new ArrayList<>();
    private long puts;
    private long deletes;
    private long deletesInScans;
    private long gets;

    @Override
    public void put(byte[] key, byte[] value) {
        puts++;
        changes.add(new Change(key, value));
    }

    @Override
    public void delete(byte[] key) {
        deletes++;
        changes.add(new Change(key, null));
    }

    /** The arrays are copied only now, so whoever changes them before the commit is found out. */
    @Override
    public void commit() {
        for (Change change : changes) {
            if (change.value == null) {
                map.remove(change.key);
            } else {
                map.put(change.key.clone(), change.value.clone());
            }
        }
        changes.clear();
    }

    @Override
    public int get(byte[] key, byte[] target) {
        gets++;
        byte[] value = map.get(key);
        if (value == null) {
            return -1;
        }
        System.arraycopy(value, 0, target, 0, value.length);
        return value.length;
    }

    @Override
    public int scan(byte[] from, int limit, int maxValueLength, Visitor visitor) {
        int count = 0;
        for (Map.Entry<byte[], byte[]> entry : map.tailMap(from, true).entrySet()) {
            if (count == limit) {
                break;
            }
            visitor.entry(entry.getKey(), entry.getKey().length, entry.getValue(), entry.getValue().length);
            count++;
        }
        return count;
    }

    /** Of a copy, as the visitor may change the map. */
    @Override
    public int scanThrough(byte[] from, byte[] through, int maxValueLength, Visitor visitor) {
        NavigableMap<byte[], byte[]> copy = new TreeMap<>(map.subMap(from, true, through, true));
        long before = deletes;
        copy.forEach((key, value) -> visitor.entry(key, key.length, value, value.length));
        deletesInScans += deletes - before;
        return copy.size();
    }

    /** How many deletes there were while a scan was open. */
    public long deletesInScans() {
        return deletesInScans;
    }

    /** How many puts there were. */
    public long puts() {
        return puts;
    }

    public long deletes() {
        return deletes;
    }

    public long gets() {
        return gets;
    }

    @Override
    public void checkpoint() {}

    @Override
    public void compact() {}

    @Override
    public boolean isIdle() {
        return true;
    }

    @Override
    public long fileBytes() {
        return 0;
    }

    @Override
    public void close() {}
}
