"""Removes from Doxygen's XML what readers of the reference do not need, or what Breathe would list twice. Members of a
namespace become members of their headers, under their full names: Breathe would show the namespace once per header.

    clean_xml.py FOLDER
"""
import pathlib
import sys
import xml.etree.ElementTree as tree


def remove(parent, unwanted):
    for child in [child for child in parent if unwanted(child)]:
        parent.remove(child)


def move_to_headers(documents):
    """Moves the members of namespaces to the headers that declare them."""
    compounds = [compound for document in documents.values() for compound in document.iterfind("compounddef")]
    headers = {compound.find("location").get("file"): compound
               for compound in compounds if compound.get("kind") == "file"}
    for namespace in compounds:
        for section in namespace.findall("sectiondef") if namespace.get("kind") == "namespace" else ():
            for member in section.findall("memberdef"):
                header = headers[member.find("location").get("file")]
                place = header.find(f"sectiondef[@kind='{section.get('kind')}']")
                if place is None:
                    place = tree.Element("sectiondef", kind=section.get("kind"))
                    header.insert(list(header).index(header.find("briefdescription")), place)
                member.find("name").text = f"{namespace.findtext('compoundname')}::{member.findtext('name')}"
                place.append(member)
            namespace.remove(section)


def main():
    folder = pathlib.Path(sys.argv[1])
    documents = {path: tree.parse(path) for path in folder.glob("*.xml")}
    structs = {name.text for document in documents.values()
               for name in document.iterfind("compounddef[@kind='struct']/compoundname")}
    move_to_headers(documents)
    for path, document in documents.items():
        for compound in document.iterfind("compounddef"):
            # Each header would declare the namespace again.
            remove(compound, lambda child: child.tag in ("innernamespace", "derivedcompoundref"))
            remove(compound, lambda child: child.tag == "sectiondef"
                   and child.get("kind").startswith(("private", "protected", "friend")))
            for base in compound.iterfind("basecompoundref"):
                base.attrib.pop("refid", None)
            for section in compound.iterfind("sectiondef"):
                # `typedef struct X {...} X;` is described as the struct.
                remove(section, lambda member: member.get("kind") == "typedef" and member.findtext("name") in structs)
            remove(compound, lambda child: child.tag == "sectiondef" and child.find("memberdef") is None)
        document.write(path, encoding="utf-8", xml_declaration=True)


if __name__ == "__main__":
    main()
