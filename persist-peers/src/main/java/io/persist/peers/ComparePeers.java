package io.persist.peers;

/** Compares Persist with its peers. */
public final class ComparePeers {

    private ComparePeers() {}
}
