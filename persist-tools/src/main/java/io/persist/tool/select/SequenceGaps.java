package io.persist.tool.select;

import io.persist.tool.text.Descriptions;

/** Records that are not there any more between those that are read, because compaction has vacated their segments. */
public final class SequenceGaps {

    private long last;
    private long records;
    private long places;

    /** Takes note of the record that is read; returns how many are gone between it and the one before. */
    public long note(long sequence) {
        long gone = last == 0 ? 0 : Math.max(0, sequence - last - 1);
        last = sequence;
        records += gone;
        places += gone == 0 ? 0 : 1;
        return gone;
    }

    /** What is read next does not come right after what was read last. */
    public void jump() {
        last = 0;
    }

    /** What is gone since the last call, in words; empty if nothing is. */
    public String take() {
        if (records == 0) {
            return "";
        }
        String gone = Descriptions.number(records, "record") + (records == 1 ? " is" : " are") + " gone, in "
                + Descriptions.number(places, "place") + ": their segments are vacated";
        records = 0;
        places = 0;
        return gone;
    }
}
