package io.persist.support;

import java.util.ArrayList;
import java.util.List;

/**
 * What the storage of a node of a Raft group has, in memory and as slow and plain as Raft's rules are written. A change
 * makes another one. Entry {@code i} of the list has the index {@code snapshotIndex + 1 + i}.
 *
 * @param votedFor 0 if there was no vote in {@code term}
 */
public record RaftModel(long term, long votedFor, long snapshotIndex, long snapshotTerm, List<Entry> entries) {

    /** A command of a term; the number stands for its bytes. */
    public record Entry(long term, long command) {}

    /** Of a node that has never had a term. */
    public static RaftModel empty() {
        return new RaftModel(0, 0, 0, 0, List.of());
    }

    public long lastIndex() {
        return snapshotIndex + entries.size();
    }

    /** The term of an entry from the snapshot's last one up to the log's last one. */
    public long termOf(long index) {
        return index == snapshotIndex ? snapshotTerm : entry(index).term();
    }

    public Entry entry(long index) {
        return entries.get((int) (index - snapshotIndex - 1));
    }

    /** What an AppendEntries is answered with. */
    public boolean takes(long leaderTerm, long prevIndex, long prevTerm) {
        if (leaderTerm < term) {
            return false;
        }
        return prevIndex <= snapshotIndex || prevIndex <= lastIndex() && termOf(prevIndex) == prevTerm;
    }

    /** After an AppendEntries. */
    public RaftModel append(long leaderTerm, long prevIndex, long prevTerm, List<Entry> sent) {
        if (!takes(leaderTerm, prevIndex, prevTerm)) {
            return inTerm(leaderTerm);
        }
        List<Entry> result = new ArrayList<>(entries);
        long index = prevIndex;
        for (Entry entry : sent) {
            index++;
            int place = (int) (index - snapshotIndex - 1);
            if (place < 0) {
                continue; // the snapshot has it
            }
            if (place < result.size() && result.get(place).term() != entry.term()) {
                result.subList(place, result.size()).clear();
            }
            if (place == result.size()) {
                result.add(entry);
            }
        }
        RaftModel later = inTerm(leaderTerm);
        return new RaftModel(later.term, later.votedFor, snapshotIndex, snapshotTerm, List.copyOf(result));
    }

    private RaftModel inTerm(long newTerm) {
        return newTerm <= term ? this : new RaftModel(newTerm, 0, snapshotIndex, snapshotTerm, entries);
    }

    /** After entries of the node itself, as the leader of its term. */
    public RaftModel propose(List<Entry> own) {
        List<Entry> result = new ArrayList<>(entries);
        result.addAll(own);
        return new RaftModel(term, votedFor, snapshotIndex, snapshotTerm, List.copyOf(result));
    }

    /** Whether the vote of {@code newTerm} can be had. */
    public boolean mayVote(long newTerm, long candidate) {
        return newTerm > term || newTerm == term && (votedFor == 0 || votedFor == candidate);
    }

    /** After a vote was asked for. */
    public RaftModel vote(long newTerm, long candidate) {
        return mayVote(newTerm, candidate)
                ? new RaftModel(newTerm, candidate, snapshotIndex, snapshotTerm, entries)
                : this;
    }

    /** After a snapshot, of the node's own or of a leader's. */
    public RaftModel compactTo(long index, long indexTerm) {
        if (index <= snapshotIndex) {
            return this;
        }
        boolean goesOn = index <= lastIndex() && termOf(index) == indexTerm;
        List<Entry> rest = goesOn ? entries.subList((int) (index - snapshotIndex), entries.size()) : List.of();
        return new RaftModel(term, votedFor, index, indexTerm, List.copyOf(rest));
    }
}
